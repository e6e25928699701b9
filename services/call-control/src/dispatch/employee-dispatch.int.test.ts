import { afterAll, expect, it } from '@jest/globals';
import { idleRelay } from '@parley/aggregates/idle-relay';
import { systemClock } from '@parley/clock';
import { testMongo } from '@parley/testkit';
import { ada, inbound, transfer } from '../../test/test-call.ts';
import type { CallRunner } from '../calls/store/call-runner.ts';
import { openCalls } from '../calls/store/call-store.ts';
import type { Presences } from '../presence/presence-store.ts';
import { employeeDispatch } from './employee-dispatch.ts';

const mongo = testMongo();
afterAll(() => mongo.close());

it('a caller is offered to an available employee behind however many who are called back later', async () => {
  const calls = await openCalls({ db: mongo.database(), relay: idleRelay(), clock: systemClock });
  const { call } = inbound(transfer(ada));
  const create = (id: string, more: object) => {
    const state = { ...call, id, legIds: [], legs: [], ...more };
    return calls.of(call.companyId).create({ ok: true, state, events: [], commands: [], timers: {} });
  };
  const notBefore = new Date(Date.now() + 300_000);
  const later = { requestedAt: call.startedAt, state: 'waiting' as const, attempts: 1, notBefore };
  // Earlier versions stored them as waiting for the employee.
  await Promise.all(Array.from({ length: 60 }, (_, n) => create(`cal_later_${n}`, { callback: later })));
  await create('cal_waiting', { queuedAt: new Date(call.queuedAt!.getTime() + 60_000) });

  const offered: string[] = [];
  const own = {
    offerRing: async () => true,
    get: async () => ({ employee: { name: ada.name }, leases: [] }),
    endLease: async () => undefined,
  };
  const runner = {
    async apply({ id }: { id: string }) {
      offered.push(id);
      return { ...call, offeredTo: [ada.id] };
    },
  };
  const dispatch = employeeDispatch({
    calls,
    runner: runner as unknown as CallRunner,
    presences: { of: () => own } as unknown as Presences,
    clock: systemClock,
  });
  await dispatch.offerEmployee(call.companyId, ada.id);
  expect(offered).toEqual(['cal_waiting']);
});
