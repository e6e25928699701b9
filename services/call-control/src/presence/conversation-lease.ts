import { notFound, Refused } from '@parley/errors';
import type { EmployeePresence } from './presence.ts';
import type { Presences } from './presence-store.ts';

/** Sets an employee's presence to on a call. A deleted employee has no presence, and the call continues without it. */
export async function addConversationLease(
  presences: Pick<Presences, 'of'>,
  { companyId, employeeId, callId }: { companyId: string; employeeId: string; callId: string },
): Promise<EmployeePresence | undefined> {
  try {
    return await presences.of(companyId).addLease(employeeId, { kind: 'conversation', id: callId });
  } catch (error) {
    if (!(error instanceof Refused && error.refusal.code === notFound.code)) throw error;
    return undefined;
  }
}
