import { answer, empty, type Route, route } from '@parley/http';
import { z } from 'zod';
import { type Faults, type FaultSwitches, faultsInput } from './faults.ts';

const faultsJson = z.object({
  sms_submit: z.string(),
  code: z.string().nullable(),
  switch: z.string(),
  speech: z.string(),
  integrations: z.string(),
});

export function faultRoutes({ faults }: { faults: FaultSwitches }): Route<undefined>[] {
  const change = route()({
    method: 'put',
    path: '/faults',
    tag: 'Faults',
    summary: 'Break something',
    body: faultsInput,
    answers: { 200: faultsJson },
    handle: ({ body }) => answer(200, faultsView(faults.change(body))),
  });

  const show = route()({
    method: 'get',
    path: '/faults',
    tag: 'Faults',
    summary: 'Show what is broken',
    answers: { 200: faultsJson },
    handle: () => answer(200, faultsView(faults.current())),
  });

  const reset = route()({
    method: 'delete',
    path: '/faults',
    tag: 'Faults',
    summary: 'Put everything back',
    answers: { 204: null },
    handle() {
      faults.reset();
      return empty(204);
    },
  });

  return [change, show, reset];
}

function faultsView({ smsSubmit, smsRejectCode, ...rest }: Faults): z.infer<typeof faultsJson> {
  return { sms_submit: smsSubmit, code: smsRejectCode, ...rest };
}
