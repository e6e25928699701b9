import { newId } from '@parley/ids';
import { notFound, Refused } from '@parley/errors';
import type { PresenceService } from '@parley/proto/call_control/v1/presence_pb';
import type { RpcClient } from '@parley/rpc';
import type { Logger } from '@parley/telemetry';

/** Keeps the sessions of softphones that are on line alive at call-control, until presence follows registrations. */
export interface PresenceSessions {
  /** Throws `Refused` for somebody who is no employee. */
  goOnline(employeeId: string): Promise<void>;
  goOffline(employeeId: string): Promise<void>;
  isOnline(employeeId: string): boolean;
  stop(): Promise<void>;
}

/** A quarter of the shortest lease in use: three renewals may get lost before a phone counts as gone. */
const RENEW_EVERY_MS = 5000;

export function createPresenceSessions(options: {
  presence: RpcClient<typeof PresenceService>;
  log: Logger;
  renewEveryMs?: number;
}): PresenceSessions {
  const { presence, log, renewEveryMs = RENEW_EVERY_MS } = options;
  const sessionOf = new Map<string, string>();
  let renewing: Promise<void> | undefined;

  async function renewAll(): Promise<void> {
    const sessions = [...sessionOf].map(([employeeId, sessionId]) => ({ employeeId, sessionId }));
    if (sessions.length === 0) return;
    const { ended } = await presence.renewSessions({ sessions });
    // Call-control was away for longer than a lease: the phone registers again, as a real one does.
    for (const { employeeId, sessionId } of ended) {
      if (sessionOf.get(employeeId) !== sessionId) continue;
      await register(employeeId, sessionId).catch((error: unknown) => {
        if (!(error instanceof Refused) || error.refusal.code !== notFound.code) throw error;
        forget(employeeId, sessionId); // the employee has left
      });
    }
  }

  async function register(employeeId: string, sessionId: string): Promise<void> {
    await presence.startSession({ employeeId, sessionId });
    // Hung up while it was registering.
    if (sessionOf.get(employeeId) !== sessionId) await presence.endSession({ employeeId, sessionId });
  }

  function forget(employeeId: string, sessionId: string): void {
    if (sessionOf.get(employeeId) === sessionId) sessionOf.delete(employeeId);
  }

  const timer = setInterval(() => {
    renewing ??= renewAll()
      .catch((error: unknown) => log.warn({ err: error }, 'presence sessions not renewed; trying again'))
      .finally(() => (renewing = undefined));
  }, renewEveryMs);

  return {
    async goOnline(employeeId) {
      const known = sessionOf.get(employeeId);
      const sessionId = known ?? newId('phone');
      // Noted first: signals that come at the same time are about the same session.
      sessionOf.set(employeeId, sessionId);
      await register(employeeId, sessionId).catch((error: unknown) => {
        if (known === undefined) forget(employeeId, sessionId);
        throw error;
      });
    },
    async goOffline(employeeId) {
      const sessionId = sessionOf.get(employeeId);
      if (sessionId === undefined) return;
      sessionOf.delete(employeeId);
      await presence.endSession({ employeeId, sessionId });
    },
    isOnline: (employeeId) => sessionOf.has(employeeId),
    async stop() {
      clearInterval(timer);
      await renewing;
    },
  };
}
