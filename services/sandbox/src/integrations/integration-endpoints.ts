import { setTimeout as sleep } from 'node:timers/promises';
import { json, HttpError, type Endpoint, endpoint } from '@parley/http';
import { z } from 'zod';
import type { FaultSwitches } from '../faults/faults.ts';
import { economicEndpoints } from './economic.ts';
import { type CallerRecord, kinds, type Records, recordsInput } from './records.ts';
import { shopifyEndpoints } from './shopify.ts';

/** Longer than the timeout of any client. */
const SLOW_MS = 30_000;

export function integrationEndpoints(deps: { records: Records; faults: FaultSwitches }): Endpoint<undefined>[] {
  const { records, faults } = deps;
  const params = z.object({ kind: z.enum(kinds) });

  /** Applies the current fault before a fake system responds. */
  async function ready(signal: AbortSignal): Promise<void> {
    const { integrations } = faults.current();
    if (integrations === 'fail') throw new HttpError(500, { error: 'fault: integrations is set to fail' });
    if (integrations === 'slow') await sleep(SLOW_MS, undefined, { signal });
  }

  const set = endpoint('none')({
    route: 'PUT /integrations/:kind',
    tag: 'Integrations',
    summary: 'Set the records of a fake system',
    params,
    body: recordsInput,
    responses: { 200: z.object({ kind: z.enum(kinds), records: z.record(z.string(), z.json()) }) },
    handle({ params: { kind }, body }) {
      records.set(kind, body.records);
      const known = records.all(kind).map(({ phone, record }) => [phone, jsonOf(record)]);
      return json(200, { kind, records: Object.fromEntries(known) });
    },
  });

  const lookUp = endpoint('none')({
    route: 'GET /integrations/:kind',
    tag: 'Integrations',
    summary: 'Answer as a custom endpoint does',
    params: z.object({ kind: z.literal('custom_endpoint') }),
    query: z.object({ phone: z.string() }),
    headers: z.object({ 'parley-timestamp': z.string(), 'parley-signature': z.string().startsWith('v1=') }),
    responses: { 200: z.json() },
    inputError: ({ part }) => (part === 'headers' ? new HttpError(401, { error: 'not signed' }) : undefined),
    async handle({ query, signal }) {
      await ready(signal);
      const record = records.find('custom_endpoint', query.phone);
      if (!record) throw new HttpError(404, { error: 'not_found' });
      return json(200, jsonOf(record));
    },
  });

  return [set, lookUp, ...shopifyEndpoints(records, ready), ...economicEndpoints(records, ready)];
}

function jsonOf(record: CallerRecord): z.infer<ReturnType<typeof z.json>> {
  return JSON.parse(JSON.stringify(record));
}
