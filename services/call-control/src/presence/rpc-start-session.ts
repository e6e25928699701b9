import { invalid, Refused } from '@parley/errors';
import type { PresenceService } from '@parley/proto/call_control/v1/presence_pb';
import type { Handler, ServicePrincipal } from '@parley/rpc';
import { hold } from './presence.ts';
import { presenceToProto } from './presence-proto.ts';
import type { PresenceDeps } from './presence-deps.ts';

/**
 * Directory is asked only about somebody new or not yet signed in: whether there is such an employee, and to end the
 * invitation, so that whoever comes on line is available in the same moment.
 */
export const startSessionRpc =
  ({
    presences,
    directory,
    machineClock,
  }: PresenceDeps): Handler<typeof PresenceService.method.startSession, ServicePrincipal> =>
  async ({ employeeId, sessionId }) => {
    if (sessionId === '') throw new Refused(invalid({ session_id: ['is required'] }));
    const until = new Date(machineClock.now().getTime() + presences.leaseMs);
    const session = { kind: 'session', id: sessionId, until } as const;
    const known = await presences.get(employeeId);
    const employee =
      known && !known.invitationPending ? undefined : (await directory.recordSignIn({ employeeId })).employee;
    const facts = employee && {
      companyId: employee.companyId,
      doNotDisturb: employee.doNotDisturbActivatedAt !== undefined,
      invitationPending: employee.invitationPending,
    };
    const presence = await presences.change(employeeId, (current, now) => hold(current, session, now), facts);
    return { leaseMs: presences.leaseMs, presence: presenceToProto(presence) };
  };
