import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { UpdateSessionRequest } from '@parley/proto/assistant/v1/session_control_pb';

/** Somebody of the company, with the name at the time. */
export interface Person {
  readonly id: string;
  readonly name: string;
}

/** What call-control tells about the call of a session; its sequences increase. */
export type SessionUpdate = { readonly sequence: number } & (
  | { readonly kind: 'connected'; readonly attempt: number; readonly at: Date }
  /** Null for a phone outside the company. */
  | { readonly kind: 'transfer_answered'; readonly actionId: string; readonly employee: Person | null }
  | { readonly kind: 'transfer_result'; readonly actionId: string; readonly result: string }
  | { readonly kind: 'takeover_requested'; readonly by: Person }
  | { readonly kind: 'ended'; readonly outcome: string; readonly fallbackReason?: string; readonly at: Date }
);

/** Undefined for an update of a later version. */
export function updateFromProto({ sequence, update }: UpdateSessionRequest, now: Date): SessionUpdate | undefined {
  switch (update.case) {
    case 'connected':
      return { sequence, kind: 'connected', attempt: update.value.attempt, at: now };
    case 'transfer': {
      const { actionId, update: transfer } = update.value;
      if (transfer.case === 'result') return { sequence, kind: 'transfer_result', actionId, result: transfer.value };
      const person = transfer.value?.employee;
      const employee = person ? { id: person.id, name: person.name } : null;
      return transfer.case && { sequence, kind: 'transfer_answered', actionId, employee };
    }
    case 'takeoverRequested':
      return { sequence, kind: 'takeover_requested', by: { id: update.value.id, name: update.value.name } };
    case 'ended': {
      const { outcome, fallbackReason, at } = update.value;
      const reason = fallbackReason === undefined ? {} : { fallbackReason };
      return { sequence, kind: 'ended', outcome, ...reason, at: at ? timestampDate(at) : now };
    }
    default:
      return undefined;
  }
}
