import { type Refusal, refusal } from '@parley/errors';
import type { Leg } from '../model/call.ts';
import type { AssistedPhase, TransferResult } from '../model/call-assistant.ts';
import type { CallInput } from '../model/call-input.ts';
import type { Offer } from '../model/offer.ts';
import { openTransfer, type Transfer, withTransfer } from '../model/transfer.ts';
import { playToWaitingCaller, separateLegs } from './assisted-legs.ts';
import type { CallDraft } from './call-draft.ts';
import { maskRecording } from './conversation-recording.ts';
import { handOver } from './hand-over.ts';
import { returnToAssistant } from './leave-assistant.ts';
import { awaitRemainingOutsideLegs, remainingLegs, ringOutside } from './outside-leg.ts';
import { ringEmployee } from './ring-employee.ts';
import { tellSession } from './session-updates.ts';
import { changeTransfer, noteTransfer, TRANSFER_RING_SECS } from './transfer-legs.ts';

/** Who answered hears who calls; the session is not waited for any longer. */
const WHISPER_MS = 10_000;
const CONNECT_KEY = '1';
const DECLINE_KEY = '2';

type Stage<Kind> = Extract<AssistedPhase['stage'], { kind: Kind }>;
type Ringing = AssistedPhase & { readonly stage: Stage<'transferring'> };
type Whispering = AssistedPhase & { readonly stage: Stage<'whispering'> };

/** Of several that ended differently, what the caller is told. */
const RESULTS: readonly TransferResult[] = ['no_answer', 'declined', 'not_allowed', 'failed', 'unavailable'];

/** How the ringing of a phone ended, by the switch's cause. */
const RESULT_OF_CAUSE: Readonly<Record<string, TransferResult>> = {
  CALL_REJECTED: 'declined',
  USER_BUSY: 'declined',
  NORMAL_CLEARING: 'declined',
  NO_ANSWER: 'no_answer',
  NO_USER_RESPONSE: 'no_answer',
  ORIGINATOR_CANCEL: 'no_answer',
  ALLOTTED_TIMEOUT: 'no_answer',
  OUTGOING_CALL_BARRED: 'not_allowed',
  NOT_RUNG: 'unavailable',
  USER_NOT_REGISTERED: 'unavailable',
  SUBSCRIBER_ABSENT: 'unavailable',
};

/** The caller hears the wait audio, the assistant stays, and everybody rings at once. */
export function startAssistantTransfer(
  draft: CallDraft,
  { actionId, targets, targetName, sealedIntroduction }: Extract<CallInput, { type: 'start_assistant_transfer' }>,
): Refusal | undefined {
  const { phase, assistant, transfers } = draft.call;
  if (phase.kind !== 'assisted' || !assistant || phase.stage.kind !== 'talking' || phase.link !== 'bridged')
    return refusal('call_not_transferable', 'the caller is not connected with an assistant');
  const isOutside = 'phoneNumber' in targets;
  const transfer: Transfer = {
    id: actionId,
    state: 'ringing',
    from: null,
    fromAssistant: { id: assistant.id, name: assistant.name },
    sealedIntroduction,
    to: null,
    ...(isOutside && { outside: { phoneNumber: targets.phoneNumber, carrier: 0, carriers: 0 } }),
    room: '',
    targetLegIds: [],
    isSetUp: true,
    isAbandoned: false,
  };
  draft.set({ transfers: withTransfer(transfers, transfer) });
  noteTransfer(draft, transfer);
  draft.note({ type: 'assistant', what: 'transfer_started', detail: targetName });
  separateLegs(draft);
  maskRecording(draft, true);
  draft.move('transferring');
  const ringSecs = TRANSFER_RING_SECS;
  const outsideLegIds = isOutside
    ? [ringOutside(draft, { to: targets.phoneNumber, employeeId: null, ringSecs, needsKey: true })]
    : [];
  const offers = isOutside ? [] : targets.map((target) => offerTo(draft, target));
  draft.enter({ ...phase, link: 'none', stage: { kind: 'transferring', actionId, offers, outsideLegIds, ended: [] } });
  draft.due('transfer_ring', ringSecs * 1000);
  playToWaitingCaller(draft);
  return undefined;
}

function offerTo(
  draft: CallDraft,
  { employee, forwardTo }: { readonly employee: Offer['employee']; readonly forwardTo?: string },
): Offer {
  draft.note({ type: 'offer', what: 'offer_made', employeeId: employee.id });
  return { employee, legIds: ringEmployee(draft, employee.id, { forwardTo, ringSecs: TRANSFER_RING_SECS }) };
}

/** The first phone to answer wins, and hears from the assistant who calls. */
export function transferAnswered(draft: CallDraft, phase: Ringing, legId: string): void {
  const { actionId, offers, outsideLegIds } = phase.stage;
  const won = offers.find(({ legIds }) => legIds.includes(legId));
  const transfer = openTransfer(draft.call.transfers);
  if (!transfer || (!won && !outsideLegIds.includes(legId))) return draft.hangUp(legId, 'LOSE_RACE');
  const rung = [...offers.flatMap(({ legIds }) => legIds), ...outsideLegIds];
  for (const id of rung) if (id !== legId) draft.hangUp(id, 'LOSE_RACE');
  const to = won?.employee ?? null;
  // The conversation is known before the offer ends, so that the employee does not appear available in between.
  if (to) draft.addCommand({ kind: 'start_conversation', employeeId: to.id });
  for (const { employee } of offers) draft.addCommand({ kind: 'release_offer', employeeId: employee.id });
  if (to) draft.note({ type: 'offer', what: 'offer_answered', employeeId: to.id, legId });
  draft.cancel('transfer_ring');
  awaitRemainingOutsideLegs(draft);
  changeTransfer(draft, transfer, { state: 'consulting', to, targetLegIds: [legId] });
  // Without the assistant's leg, nobody could say who calls.
  if (phase.assistantLegId === null) return handOver(draft, { actionId, to, legId });
  draft.enter({ ...phase, stage: { kind: 'whispering', actionId, to, legId } });
  draft.due('whisper', WHISPER_MS);
}

/** A phone that rang for a transfer has stopped ringing: with the last one the transfer ends. */
export function transferLegEnded(draft: CallDraft, phase: Ringing, leg: Leg, cause: string): void {
  const { stage } = phase;
  if (stage.outsideLegIds.includes(leg.id)) {
    const outsideLegIds = remainingLegs(draft, stage.outsideLegIds, leg, cause);
    const ended = outsideLegIds.length === 0 ? [...stage.ended, resultOf(leg, cause)] : stage.ended;
    return ring(draft, phase, { ...stage, outsideLegIds, ended });
  }
  const offer = stage.offers.find(({ legIds }) => legIds.includes(leg.id));
  if (!offer) return;
  const legIds = remainingLegs(draft, offer.legIds, leg, cause);
  if (legIds.length === 0) return endOffers(draft, phase, [offer], resultOf(leg, cause));
  draft.enter({
    ...phase,
    stage: { ...stage, offers: stage.offers.map((other) => (other === offer ? { ...offer, legIds } : other)) },
  });
}

/** An employee must not be rung any more. */
export function withdrawFromTransfer(draft: CallDraft, phase: Ringing, employeeId: string): void {
  const offer = phase.stage.offers.find(({ employee }) => employee.id === employeeId);
  if (!offer) return;
  for (const legId of offer.legIds) draft.hangUp(legId, 'ORIGINATOR_CANCEL');
  endOffers(draft, phase, [offer], 'unavailable');
}

/** Nobody has answered in time. Who is asked for the key outside the company has the time for it. */
export function transferRingOver(draft: CallDraft, phase: Ringing): void {
  const { offers, outsideLegIds } = phase.stage;
  const isAsked = (legId: string) => {
    const leg = draft.leg(legId);
    return leg?.status === 'answered' && !leg.hangingUp && !!leg.outside?.until;
  };
  const unanswered = offers.filter(({ legIds }) => !legIds.some(isAsked));
  const silent = outsideLegIds.filter((legId) => !isAsked(legId));
  for (const legId of [...unanswered.flatMap(({ legIds }) => legIds), ...silent]) draft.hangUp(legId, 'NO_ANSWER');
  const outside = outsideLegIds.filter(isAsked);
  endOffers(draft, { ...phase, stage: { ...phase.stage, outsideLegIds: outside } }, unanswered, 'no_answer');
}

/** They ring no more. */
function endOffers(draft: CallDraft, phase: Ringing, gone: readonly Offer[], result: TransferResult): void {
  const { stage } = phase;
  for (const { employee } of gone) {
    draft.note({ type: 'offer', what: `offer_${ENDS[result] ?? 'ended'}`, employeeId: employee.id });
    draft.addCommand({ kind: 'release_offer', employeeId: employee.id });
  }
  const offers = stage.offers.filter((offer) => !gone.includes(offer));
  ring(draft, phase, { ...stage, offers, ended: [...stage.ended, result] });
}

const ENDS: Partial<Record<TransferResult, string>> = { declined: 'declined', no_answer: 'unanswered' };

/** Goes on with who still rings, or returns to the assistant. */
function ring(draft: CallDraft, phase: Ringing, stage: Ringing['stage']): void {
  draft.enter({ ...phase, stage });
  awaitRemainingOutsideLegs(draft);
  if (stage.offers.length + stage.outsideLegIds.length > 0) return;
  returnToAssistant(draft, RESULTS.find((result) => stage.ended.includes(result)) ?? 'no_answer');
}

function resultOf({ outside, hangingUp }: Leg, cause: string): TransferResult {
  // We have ended it: a phone outside whose time was over, or one that has gone.
  if (hangingUp) return outside ? 'no_answer' : 'unavailable';
  return RESULT_OF_CAUSE[cause] ?? 'failed';
}

/** Who answered hears the assistant. */
export function whisperBegun(draft: CallDraft, { stage: { actionId, to: employee } }: Whispering): void {
  tellSession(draft, { kind: 'transfer_answered', actionId, employee });
  draft.due('whisper', WHISPER_MS);
}

/** Who answered has heard who calls, or wants to hear no more: caller and employee are connected. */
export function finishWhisper(draft: CallDraft, actionId?: string): void {
  const { phase } = draft.call;
  if (phase.kind !== 'assisted' || phase.stage.kind !== 'whispering') return;
  const { to, legId, actionId: current } = phase.stage;
  if (actionId === undefined || actionId === current) handOver(draft, { actionId: current, to, legId });
}

export function whisperKey(draft: CallDraft, key: string): void {
  if (key === CONNECT_KEY) finishWhisper(draft);
  else if (key === DECLINE_KEY) returnToAssistant(draft, 'declined');
}
