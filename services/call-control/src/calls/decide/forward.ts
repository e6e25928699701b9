import type { Call } from '../model/call.ts';
import type { ForwardFlow } from '../model/call-flow.ts';
import type { CallDraft } from './call-draft.ts';
import { ringOutside } from './outside-leg.ts';
import { connectOutside, connectOutsideWhenParked } from './outside-party.ts';
import { play } from './play-audio.ts';

/** Rings a phone outside the company; the caller hears the wait audio meanwhile. */
export function forward(
  draft: CallDraft,
  { phoneNumber, timeoutSecs: ringSecs, confirm: needsKey }: ForwardFlow,
): void {
  draft.move('transferring');
  play(draft, { kind: draft.call.number.waitAudio });
  const legId = ringOutside(draft, { to: phoneNumber, employeeId: null, ringSecs, needsKey });
  draft.note({ type: 'leg', what: 'forwarded', legId });
  draft.enter({ kind: 'forwarding', phoneNumber, legId });
}

/** The phone outside the company takes the call: answered, by none of the employees. */
export function forwardAccepted(
  draft: CallDraft,
  { phoneNumber, legId }: Extract<Call['phase'], { kind: 'forwarding' }>,
): void {
  draft.move('answered');
  if (!draft.call.answeredAt) {
    draft.set({ answeredAt: draft.now });
    draft.emit('call-control.call.answered');
  }
  connectOutside(draft, phoneNumber, legId);
  connectOutsideWhenParked(draft);
}
