import { Refused } from '@parley/errors';
import { type EmployeePresence, otherConversations } from '../presence/presence.ts';
import type { CallRunner } from '../calls/store/call-runner.ts';

/** Puts the other calls of an employee on hold who talks in this one. */
export type HoldOthers = (presence: EmployeePresence | undefined, callId: string) => Promise<void>;

export function holdOthers(runner: CallRunner): HoldOthers {
  return async (presence, callId) => {
    if (!presence) return;
    const { id: actorId, companyId } = presence;
    for (const id of otherConversations(presence, callId))
      await runner.apply({ companyId, id }, { type: 'hold', actorId, on: true }).catch((error: unknown) => {
        // The other one is no conversation any more, or its customer is held by a transfer.
        if (!(error instanceof Refused)) throw error;
      });
  };
}
