import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { type EncodedMessage, encodeMessage } from '@parley/events';
import type { EmployeeStatusChanged, EmployeeStatusEnded } from '@parley/proto/call_control/v1/presence_events_pb';
import { type PresenceSchema, PresenceStatus } from '@parley/proto/call_control/v1/presence_pb';
import { employeeToProto } from '../employees/employee-record.ts';
import type { EmployeePresence, PresenceEvent, Status, StatusChange } from './presence.ts';

const statuses: Record<Status, PresenceStatus> = {
  on_call: PresenceStatus.ON_CALL,
  do_not_disturb: PresenceStatus.DO_NOT_DISTURB,
  ringing: PresenceStatus.RINGING,
  available: PresenceStatus.AVAILABLE,
  logged_out: PresenceStatus.LOGGED_OUT,
};

export function presenceToProto(presence: EmployeePresence): MessageInitShape<typeof PresenceSchema> {
  const { doNotDisturb, doNotDisturbChangedAt } = presence;
  return {
    employeeId: presence.id,
    status: statuses[presence.status],
    ...(doNotDisturb && { doNotDisturbActivatedAt: timestampFromDate(doNotDisturb.activatedAt) }),
    ...(doNotDisturb?.expiresAt && { doNotDisturbExpiresAt: timestampFromDate(doNotDisturb.expiresAt) }),
    ...(doNotDisturbChangedAt && { doNotDisturbChangedAt: timestampFromDate(doNotDisturbChangedAt) }),
  };
}

export function encodePresenceEvent(event: PresenceEvent): EncodedMessage {
  if (event.type === 'call-control.do_not_disturb.changed')
    return encodeMessage(event.type, { employeeId: event.employeeId });
  const { type, presence, withdrawnCallIds } = event;
  return encodeMessage(type, {
    employee: employeeToProto(presence, presence.employee),
    presence: presenceToProto(presence),
    withdrawnCallIds: [...withdrawnCallIds],
  });
}

export function employeeStatusFromProto({
  employee,
  presence,
  withdrawnCallIds,
}: EmployeeStatusChanged | EmployeeStatusEnded): StatusChange | undefined {
  const status = names.get(presence?.status);
  if (!employee || !status) return undefined;
  return { companyId: employee.companyId, employeeId: employee.id, status, withdrawnCallIds };
}

const names = new Map<PresenceStatus | undefined, Status>(
  Object.entries(statuses).map(([name, status]) => [status, name as Status]),
);
