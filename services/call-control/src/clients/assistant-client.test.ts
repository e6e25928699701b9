import { expect, it } from '@jest/globals';
import { type Channel, Unavailable } from '@parley/rpc';
import { notFound, Refused } from '@parley/errors';
import type { Logger } from '@parley/telemetry';
import { answeredBy } from '../../test/test-assisted-call.ts';
import { inbound } from '../../test/test-call.ts';
import { assistantSessions } from './assistant-client.ts';

const log = { warn: () => undefined } as unknown as Logger;

/** A service of which each request goes to the next of its processes. */
function served(...processes: (() => Promise<object>)[]) {
  const timeouts: number[] = [];
  const method = (_request: object, { timeoutMs }: { timeoutMs: number }) => {
    timeouts.push(timeoutMs);
    return processes[timeouts.length - 1]!();
  };
  const client = () => ({ reserveSession: method, updateSession: method });
  return { timeouts, sessions: assistantSessions({ client } as unknown as Channel, log) };
}

const frozen = () => Promise.reject(new Unavailable('ReserveSession: DEADLINE_EXCEEDED'));
const reservation = { sessionId: 'ses_1', address: 'sip:res1@127.0.0.1:5090', assistantName: 'Robin' };
const reserves = async () => ({ result: { case: 'reservation', value: reservation } });
const { call } = inbound(answeredBy());

it('a session is reserved by another process when the first one does not answer, within two seconds', async () => {
  const { sessions, timeouts } = served(frozen, reserves);
  expect(await sessions.reserve(call, 2)).toMatchObject(reservation);
  expect(timeouts).toHaveLength(2);
  expect(timeouts.reduce((sum, ms) => sum + ms)).toBeLessThanOrEqual(2000);
});

it('a session that no process reserves is refused', async () => {
  expect(await served(frozen, frozen).sessions.reserve(call, 1)).toEqual({ refused: 'failed' });
});

it('a session is told about its call by another process when the first one does not answer, and not again when it is gone', async () => {
  const update = { kind: 'connected', attempt: 2 } as const;
  const answered = served(frozen, async () => ({}));
  await answered.sessions.update('ses_1', 3, update);
  expect(answered.timeouts).toHaveLength(2);
  const gone = served(() => Promise.reject(new Refused(notFound)));
  await gone.sessions.update('ses_1', 3, update);
  expect(gone.timeouts).toHaveLength(1);
});
