import { type Presence as PresenceMessage, PresenceStatus } from '@parley/proto/call_control/v1/presence_pb';
import type { EmployeeStatus, Presence } from '../employees/employee-status.ts';

const statuses: Record<PresenceStatus, EmployeeStatus> = {
  [PresenceStatus.UNSPECIFIED]: 'unknown',
  [PresenceStatus.ON_CALL]: 'on_call',
  [PresenceStatus.DO_NOT_DISTURB]: 'do_not_disturb',
  [PresenceStatus.RINGING]: 'ringing',
  [PresenceStatus.AVAILABLE]: 'available',
  [PresenceStatus.LOGGED_OUT]: 'logged_out',
};

export function presenceFromProto(message: PresenceMessage): Presence {
  return {
    status: statuses[message.status] ?? 'unknown',
    statusInDoNotDisturb: statuses[message.statusInDoNotDisturb] ?? 'unknown',
    version: Number(message.version),
  };
}
