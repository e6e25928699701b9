import { type EmployeePresence, otherConversations } from '../presence/presence.ts';
import type { CallRunner } from '../calls/store/call-runner.ts';

/** Has the other calls of an employee make way who talks in this one. */
export type HoldOthers = (presence: EmployeePresence | undefined, callId: string) => Promise<void>;

export function holdOthers(runner: CallRunner): HoldOthers {
  return async (presence, callId) => {
    if (!presence) return;
    const { id: actorId, companyId } = presence;
    for (const id of otherConversations(presence, callId))
      await runner.apply({ companyId, id }, { type: 'make_way', actorId });
  };
}
