import type { Prompt } from '../model/call-flow.ts';
import type { CallDraft } from './call-draft.ts';
import { sayToWaitingCaller } from './play-audio.ts';

const ANNOUNCE_EVERY_MS = 30_000;

/** The place of the waiting call may have changed. */
export function placeFound(draft: CallDraft, place: number): void {
  const { phase, placeAnnouncement: known } = draft.call;
  // Nobody listens any more in a call that waits to call back.
  if (phase.kind !== 'waiting' || draft.call.callback || known?.place === place) return;
  draft.set({ placeAnnouncement: { place, told: known?.told ?? null } });
  announcePlace(draft);
}

/** Tells the caller the place if it is another one than before, now or as soon as that may be said again. */
export function announcePlace(draft: CallDraft): void {
  const { phase, placeAnnouncement: known, number } = draft.call;
  if (phase.kind !== 'waiting' || !known || known.place === known.told?.place) return;
  const waitMs = known.told ? known.told.at.getTime() + ANNOUNCE_EVERY_MS - draft.now.getTime() : 0;
  if (waitMs > 0) return draft.due('announce_place', waitMs);
  const prompt = number.positionPrompts?.[known.place - 1];
  if (!prompt) return;
  draft.set({ placeAnnouncement: { ...known, told: { place: known.place, at: draft.now } } });
  draft.note({ type: 'input', what: 'place_announced', detail: String(known.place) });
  sayToWaitingCaller(draft, [prompt, ...callbackOffers(draft)]);
}

/** Tells the caller how to be called back; otherwise that follows the place. */
export function offerCallback(draft: CallDraft): void {
  const { phase, number } = draft.call;
  const offers = callbackOffers(draft);
  if (phase.kind === 'waiting' && !number.positionPrompts && offers.length > 0) sayToWaitingCaller(draft, offers);
}

function callbackOffers({ call: { number, callback } }: CallDraft): readonly Prompt[] {
  return number.callbackPrompt && !callback ? [number.callbackPrompt] : [];
}

/** A call has joined or left its queue: those behind it have another place. */
export function queueMoved(draft: CallDraft): void {
  if (draft.call.number.positionPrompts) draft.addCommand({ kind: 'update_queue_positions' });
}
