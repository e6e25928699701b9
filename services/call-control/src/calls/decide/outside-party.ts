import type { OutsideTarget } from '../model/transfer.ts';
import type { CallDraft } from './call-draft.ts';
import { bridge } from './conversation.ts';
import { stopRecording } from './conversation-recording.ts';
import { endSupervision } from './supervision.ts';

/** Calls a phone outside, which sees the business number; its leg. */
export function dialOutside(
  draft: CallDraft,
  { phoneNumber, carrier }: OutsideTarget,
  more: { timeoutSecs: number; room: string | null },
): string {
  const legId = draft.newId();
  draft.addLeg({ id: legId, employeeId: null });
  draft.addCommand({ kind: 'dial', legId, carrier, to: phoneNumber, ...more });
  return legId;
}

/**
 * The remote party continues with a phone outside the company. Nothing is recorded from here on: no employee takes part, and the
 * other side has heard no announcement.
 */
export function connectOutside(draft: CallDraft, phoneNumber: string, legId: string): void {
  stopRecording(draft);
  draft.set({ recordingPause: null });
  endSupervision(draft);
  draft.enter({ kind: 'outside', phoneNumber, legId });
  draft.note({ type: 'leg', what: 'outside_connected', legId, detail: phoneNumber });
}

/** Connects the two once both wait for it. */
export function connectOutsideWhenParked(draft: CallDraft): void {
  const { phase, state, customerLegId } = draft.call;
  if (phase.kind !== 'outside' || state !== 'answered') return;
  if ([customerLegId, phase.legId].every((id) => draft.leg(id)?.parked)) bridge(draft, phase.legId);
}
