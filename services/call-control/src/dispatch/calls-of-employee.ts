import type { CallRunner } from '../calls/store/call-runner.ts';
import type { Calls } from '../calls/store/call-store.ts';
import { type EmployeePresence, otherConversations } from '../presence/presence.ts';

/** An employee who talks in this call is on hold in, or leaves, the others. */
export async function holdOtherCalls(
  runner: CallRunner,
  presence: EmployeePresence | undefined,
  callId: string,
): Promise<void> {
  if (!presence) return;
  const { id: actorId, companyId } = presence;
  for (const id of otherConversations(presence, callId))
    await runner.apply({ companyId, id }, { type: 'hold_for_other_call', actorId });
}

/** Takes an employee who was deleted or deactivated out of their calls. May be repeated. */
export async function leaveCalls(
  { calls, runner }: { calls: Calls; runner: CallRunner },
  companyId: string,
  employeeId: string,
): Promise<void> {
  const involved = await calls.involving(companyId, employeeId);
  await Promise.all(involved.map((call) => runner.apply(call, { type: 'employee_removed', employeeId })));
}
