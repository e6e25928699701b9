import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  TransferMode,
  type TransferSchema,
  TransferState as ProtoState,
} from '@parley/proto/call_control/v1/transfers_pb';
import type { Transfer, TransferState } from '../calls/model/transfer.ts';

const states: Record<TransferState, ProtoState> = {
  ringing: ProtoState.RINGING,
  consulting: ProtoState.CONSULTING,
  completed: ProtoState.COMPLETED,
  cancelled: ProtoState.CANCELLED,
  failed: ProtoState.FAILED,
};

export function transferToProto({
  id,
  state,
  from,
  to,
  outside,
  isBlind,
}: Transfer): MessageInitShape<typeof TransferSchema> {
  return {
    id,
    state: states[state],
    fromEmployee: { id: from.id, name: from.name },
    ...(to && { toEmployee: { id: to.id, name: to.name } }),
    ...(outside && { toPhoneNumber: outside.phoneNumber }),
    mode: isBlind ? TransferMode.BLIND : TransferMode.WARM,
  };
}
