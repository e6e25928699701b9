import { afterEach, describe, expect, it } from '@jest/globals';
import { notFound, Refused } from '@parley/errors';
import { createLog } from '@parley/telemetry';
import { waitUntil } from '@parley/testkit';
import { createPresenceSessions, type PresenceSessions } from './presence-sessions.ts';

let sessions: PresenceSessions;
afterEach(() => sessions.stop());

/** Call-control as far as a softphone sees it. */
function switchboard(employees: Set<string>) {
  const sessions = new Map<string, string>();
  const calls: string[] = [];
  return {
    sessions,
    calls,
    presence: {
      async startSession({ employeeId = '', sessionId = '' }) {
        calls.push('start');
        if (!employees.has(employeeId)) throw new Refused(notFound);
        sessions.set(sessionId, employeeId);
      },
      async renewSessions({ sessions: asked = [] }: { sessions?: { sessionId: string }[] }) {
        calls.push('renew');
        return { ended: asked.filter(({ sessionId }) => !sessions.has(sessionId)) };
      },
      async endSession({ sessionId = '' }) {
        calls.push('end');
        sessions.delete(sessionId);
      },
    } as never,
  };
}

describe('softphones', () => {
  const log = createLog({ service: 'sandbox', level: 'silent' });

  it('keep one session however often they are told to go on line', async () => {
    const board = switchboard(new Set(['emp_1']));
    sessions = createPresenceSessions({ presence: board.presence, log });
    await sessions.goOnline('emp_1');
    await sessions.goOnline('emp_1');
    expect([board.sessions.size, sessions.isOnline('emp_1')]).toEqual([1, true]);
    await sessions.goOffline('emp_1');
    await sessions.goOffline('emp_1');
    expect([board.sessions.size, sessions.isOnline('emp_1')]).toEqual([0, false]);
    expect(board.calls.filter((call) => call === 'end')).toHaveLength(1);
  });

  it('keep one session when they are told many times at once', async () => {
    const board = switchboard(new Set(['emp_1']));
    sessions = createPresenceSessions({ presence: board.presence, log });
    await Promise.all([1, 2, 3].map(() => sessions.goOnline('emp_1')));
    expect(board.sessions.size).toBe(1);
    await sessions.goOffline('emp_1');
    expect([board.sessions.size, sessions.isOnline('emp_1')]).toEqual([0, false]);
  });

  it('have hung up when that came last, also while they were still registering', async () => {
    const board = switchboard(new Set(['emp_1']));
    sessions = createPresenceSessions({ presence: board.presence, log });
    await Promise.all([sessions.goOnline('emp_1'), sessions.goOffline('emp_1')]);
    expect([board.sessions.size, sessions.isOnline('emp_1')]).toEqual([0, false]);
  });

  it('of nobody stay off line', async () => {
    const board = switchboard(new Set());
    sessions = createPresenceSessions({ presence: board.presence, log });
    await expect(sessions.goOnline('emp_1')).rejects.toThrow(Refused);
    expect(sessions.isOnline('emp_1')).toBe(false);
  });

  it('register again when their session was lost, and fall silent when their employee is gone', async () => {
    const employees = new Set(['emp_1']);
    const board = switchboard(employees);
    sessions = createPresenceSessions({ presence: board.presence, log, renewEveryMs: 10 });
    await sessions.goOnline('emp_1');
    board.sessions.clear();
    await waitUntil(() => board.sessions.size === 1, { what: 'the phone' });
    employees.clear();
    board.sessions.clear();
    await waitUntil(() => !sessions.isOnline('emp_1'), { what: 'the phone to fall silent' });
    expect(board.sessions.size).toBe(0);
  });
});
