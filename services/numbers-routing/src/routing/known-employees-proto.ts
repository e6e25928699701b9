import { timestampDate } from '@bufbuild/protobuf/wkt';
import { type ListPresencesResponse, type Presence, PresenceStatus } from '@parley/proto/call_control/v1/presence_pb';
import type { Employee } from '@parley/proto/directory/v1/employees_pb';
import type { KnownEmployee } from './explanation.ts';

const statuses: Record<PresenceStatus, KnownEmployee['status']> = {
  [PresenceStatus.UNSPECIFIED]: 'unknown',
  [PresenceStatus.ON_CALL]: 'on_call',
  [PresenceStatus.DO_NOT_DISTURB]: 'do_not_disturb',
  [PresenceStatus.RINGING]: 'ringing',
  [PresenceStatus.AVAILABLE]: 'available',
  [PresenceStatus.LOGGED_OUT]: 'logged_out',
};

/** Employees with their presence. Without an answer of call-control every status is unknown. */
export function knownEmployees(
  employees: ReadonlyMap<string, Pick<Employee, 'name' | 'invitationPending'>>,
  answer: ListPresencesResponse | undefined,
): ReadonlyMap<string, KnownEmployee> {
  const presences = new Map(answer?.presences.map((presence) => [presence.employeeId, presence]));
  const absent = answer ? 'logged_out' : 'unknown';
  return new Map(
    [...employees].map(([id, { name, invitationPending }]) => {
      const presence = presences.get(id);
      const status = presence ? statuses[presence.status] : absent;
      return [id, { id, name, invitationPending, status, doNotDisturb: doNotDisturbOf(presence) }];
    }),
  );
}

function doNotDisturbOf(presence: Presence | undefined): KnownEmployee['doNotDisturb'] {
  if (!presence?.doNotDisturbActivatedAt) return null;
  const { doNotDisturbExpiresAt: expires } = presence;
  return { expiresAt: expires ? timestampDate(expires) : null };
}
