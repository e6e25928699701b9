import { json, empty, type Endpoint, endpoint } from '@parley/http';
import { z } from 'zod';
import { type Faults, type FaultSwitches, faultsInput } from './faults.ts';

const faultsJson = z.object({
  sms_submit: z.string(),
  code: z.string().nullable(),
  switch: z.string(),
  speech: z.string(),
  integrations: z.string(),
});

export function faultEndpoints({ faults }: { faults: FaultSwitches }): Endpoint<undefined>[] {
  const change = endpoint('none')({
    route: 'PUT /faults',
    tag: 'Faults',
    summary: 'Set faults',
    body: faultsInput,
    responses: { 200: faultsJson },
    async handle({ body }) {
      const changed = faults.change(body);
      await faults.applied();
      return json(200, faultsView(changed));
    },
  });

  const show = endpoint('none')({
    route: 'GET /faults',
    tag: 'Faults',
    summary: 'Show the current faults',
    responses: { 200: faultsJson },
    handle: () => json(200, faultsView(faults.current())),
  });

  const reset = endpoint('none')({
    route: 'DELETE /faults',
    tag: 'Faults',
    summary: 'Clear all faults',
    responses: { 204: null },
    async handle() {
      faults.reset();
      await faults.applied();
      return empty(204);
    },
  });

  return [change, show, reset];
}

function faultsView({ smsSubmit, smsRejectCode, ...rest }: Faults): z.infer<typeof faultsJson> {
  return { sms_submit: smsSubmit, code: smsRejectCode, ...rest };
}
