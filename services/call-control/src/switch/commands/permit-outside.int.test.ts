import { afterAll, expect, it } from '@jest/globals';
import { idleRelay } from '@parley/aggregates/idle-relay';
import { systemClock } from '@parley/clock';
import { startTelemetry } from '@parley/telemetry';
import { testMongo } from '@parley/testkit';
import { callAdmissions } from '../../call-usage/call-admissions.ts';
import { openCallUsages } from '../../call-usage/call-usage-store.ts';
import type { CompanyCallSettings } from '../../call-usage/call-permission.ts';
import type { Call, Callback } from '../../calls/model/call.ts';
import { ada, inbound, transfer } from '../../../test/test-call.ts';
import { openCalls } from '../../calls/store/call-store.ts';
import type { Routing } from '../../clients/routing-client.ts';
import { permitOutside } from './permit-dialling.ts';

const mongo = testMongo();
afterAll(() => mongo.close());
const telemetry = startTelemetry({ service: 'call-control', version: '0', logLevel: 'silent' });

/** A company with these settings, and callers who have asked to be called back. */
async function fixture(change: Partial<CompanyCallSettings> = {}) {
  const [db, clock] = [mongo.database(), systemClock];
  const calls = await openCalls({ db, relay: idleRelay(), clock });
  const usages = await openCallUsages({ db, relay: idleRelay(), clock });
  const admissions = callAdmissions({ usages, calls, clock, machineClock: clock, telemetry });
  const limits = {
    simultaneousCalls: 1,
    callsPerMinute: 300,
    employeeSimultaneousCalls: 4,
    employeeCallsPerMinute: 30,
  };
  const company: CompanyCallSettings = {
    country: 'DK',
    address: '',
    limits,
    destinations: { countries: ['DK'], premiumRate: false, satellite: false },
    ...change,
  };
  const number = async (idOrNumber: string) =>
    idOrNumber === 'num_1' ? { companyId: 'com_1', isActive: true } : undefined;
  const deps = { companyOf: async () => company, routing: { number } as unknown as Routing, admissions };
  const permit = (call: Call, legId: string, to: string) => permitOutside(deps, call, legId, to);
  const calledBack = async (id: string, state: Callback['state']): Promise<Call> => {
    const { call } = inbound(transfer(ada));
    const callback = { requestedAt: call.startedAt, state, attempts: 1, notBefore: null };
    const created = { ...call, id, callback, legs: [], legIds: [] };
    await calls.of('com_1').create({ ok: true, state: created, events: [], commands: [], timers: {} });
    return created;
  };
  const admit = (callId: string) =>
    admissions.admit('com_1', { callId, employeeId: null, limits: company.limits, placed: null });
  return { permit, calledBack, admit };
}

it('a caller who is called back is one of the calls at once of the company, like one who is called', async () => {
  const { permit, calledBack, admit } = await fixture();
  const call = await calledBack('cal_back', 'calling');
  expect(await permit(call, 'leg-1', call.from)).toBeNull();
  expect(await admit('cal_other')).toBe('simultaneousCalls');
  const second = await calledBack('cal_second', 'calling');
  expect(await permit(second, 'leg-2', second.from)).toBe('USER_BUSY');
  // The next carrier of the same attempt.
  expect(await permit(call, 'leg-3', call.from)).toBeNull();
});

it('a phone outside that rings for a call is no further one of the calls at once', async () => {
  const { permit, admit } = await fixture();
  expect(await admit('cal_1')).toBeNull();
  expect(await permit(inbound(transfer(ada)).call, 'leg-1', '+4540506070')).toBeNull();
});

it('nobody is called for a company that is suspended, or may not call there', async () => {
  const destinations = { countries: ['SE'], premiumRate: false, satellite: false };
  for (const change of [{ isSuspended: true }, { destinations }]) {
    const { permit, calledBack } = await fixture(change);
    const call = await calledBack('cal_back', 'calling');
    expect(await permit(call, 'leg-1', call.from)).toBe('OUTGOING_CALL_BARRED');
  }
});
