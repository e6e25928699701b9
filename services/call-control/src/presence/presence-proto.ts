import type { MessageInitShape } from '@bufbuild/protobuf';
import { encodeMessage, type EncodedMessage } from '@parley/events';
import { type PresenceSchema, PresenceStatus } from '@parley/proto/call_control/v1/presence_pb';
import type { EmployeePresence, PresenceEvent } from './presence.ts';
import type { Status } from './status.ts';

const statuses: Record<Status, PresenceStatus> = {
  on_call: PresenceStatus.ON_CALL,
  do_not_disturb: PresenceStatus.DO_NOT_DISTURB,
  ringing: PresenceStatus.RINGING,
  available: PresenceStatus.AVAILABLE,
  logged_out: PresenceStatus.LOGGED_OUT,
  unknown: PresenceStatus.UNSPECIFIED,
};

export function presenceToProto(
  presence: Pick<EmployeePresence, 'id' | 'status' | 'statusInDoNotDisturb' | 'version'>,
): MessageInitShape<typeof PresenceSchema> {
  return {
    employeeId: presence.id,
    status: statuses[presence.status],
    statusInDoNotDisturb: statuses[presence.statusInDoNotDisturb],
    version: BigInt(presence.version),
  };
}

export function encodePresenceEvent(event: PresenceEvent): EncodedMessage {
  return encodeMessage(event.type, { presence: presenceToProto(event.presence) });
}
