import { describe, expect, it } from '@jest/globals';
import type { Callback } from '../../calls/model/call.ts';
import type { QueuedCall } from '../../calls/model/queue-position.ts';
import { inbound, transfer } from '../../../test/test-call.ts';
import type { CompanyCallSettings } from '../../call-usage/call-permission.ts';
import { permitCallback } from './permit-dialling.ts';

const MOST = 3;
const company: CompanyCallSettings = {
  country: 'DK',
  address: '',
  limits: { simultaneousCalls: MOST, callsPerMinute: 300, employeeSimultaneousCalls: 4, employeeCallsPerMinute: 30 },
  destinations: { countries: ['DK'], premiumRate: false, satellite: false },
};
const { call } = inbound(transfer());
const waits: Callback = { requestedAt: call.startedAt, state: 'waiting', attempts: 0, notBefore: null };

/** Callers in the queue, of whom some wait to be called back. */
function permit(
  callbacks: readonly (Callback['state'] | null)[],
  change: Partial<QueuedCall> = {},
  settings = company,
) {
  const queue = callbacks.map((state, index) => ({
    ...call,
    remoteNumber: `+452030405${index}`,
    ...(state && { callback: { ...waits, state } }),
    ...change,
  }));
  const calls = { queueOf: async () => queue };
  return permitCallback({ companyOf: async () => settings, calls }, { ...call, remoteNumber: '+4520304059' });
}

describe('a caller may be called back later', () => {
  it('a caller may be called back later while fewer wait for that than the company may have calls at once', async () => {
    expect(await permit(['waiting', 'calling', null, null, 'connected'])).toBe(true);
    expect(await permit(['waiting', 'calling', 'waiting'])).toBe(false);
  });

  it('a caller may be called back later instead of an earlier time when the same caller asked at the same business number', async () => {
    const same = { remoteNumber: '+4520304059' };
    expect(await permit(['waiting', 'waiting', 'waiting'], same)).toBe(true);
    const other = { ...same, number: { ...call.number, id: 'num_2' } };
    expect(await permit(['waiting', 'waiting', 'waiting'], other)).toBe(false);
  });

  it('a caller may be called back later if the company may call the number, and is not suspended', async () => {
    expect(await permit([])).toBe(true);
    expect(await permit([], {}, { ...company, isSuspended: true })).toBe(false);
    expect(await permit([], {}, { ...company, destinations: { ...company.destinations, countries: ['SE'] } })).toBe(
      false,
    );
  });
});
