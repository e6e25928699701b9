import { offerCallback, queueMoved } from './announce-place.ts';
import { ringEmployee } from './ring-employee.ts';
import { play } from './play-audio.ts';
import type { Call, Decline, Leg } from '../model/call.ts';
import type { Offer } from '../model/offer.ts';
import type { CallDraft } from './call-draft.ts';
import type { Participant } from '../model/participant.ts';
import { awaitRemainingOutsideLegs, remainingLegs } from './outside-leg.ts';

/** An employee who declined, or whose phone could not be rung, is not rung again before this. */
const DECLINED_MS = 15_000;
const RING_IN_TURN_MS = 20_000;
/** A phone outside the company rings this long for an employee before it counts as declined. */
const OUTSIDE_RING_SECS = 45;
/** Phones ring until we stop them; the longest no-answer timer is an hour. */
const RING_SECS = 7200;

type WaitingPhase = Extract<Call['phase'], { kind: 'waiting' }>;

/** The caller joins the wait queue; the no-answer timer starts with the first wait. */
export function waitForEmployees(draft: CallDraft, employeeIds: readonly string[]): void {
  const { number, noAnswer, queuedAt } = draft.call;
  draft.move('queued');
  if (!queuedAt) {
    draft.set({ queuedAt: draft.now });
    // A party that comes back from a blind transfer was answered before.
    if (!draft.call.answeredAt) draft.emit('call-control.call.queued');
  }
  draft.set({ queue: employeeIds });
  const playId = play(draft, { kind: number.waitAudio });
  draft.enter({ kind: 'waiting', playId, employeeIds, offers: [], declinedUntil: [] });
  if (noAnswer) draft.due('no_answer', noAnswer.timeoutSecs * 1000);
  draft.addCommand({ kind: 'dispatch_employees' });
  queueMoved(draft);
  offerCallback(draft);
}

/** True when the call would ring at this employee now. */
export function waitsFor(call: Call, employeeId: string, now: Date): boolean {
  const { phase } = call;
  return (
    phase.kind === 'waiting' &&
    (!call.number.ringStrategy || phase.offers.length === 0) &&
    phase.employeeIds.includes(employeeId) &&
    !(call.callback?.notBefore && call.callback.notBefore > now) &&
    !phase.offers.some(({ employee }) => employee.id === employeeId) &&
    !phase.declinedUntil.some((decline) => decline.employeeId === employeeId && isCurrent(decline, now))
  );
}

/** An available employee, and since when without a call; null when that is not known. */
interface Idle {
  readonly id: string;
  readonly since: Date | null;
}

/**
 * Whom a call that rings one employee after the other tries first: who has not been rung yet, then who was rung longest
 * ago; among equals the strategy decides.
 */
export function ringingOrder(call: Call, available: readonly Idle[]): readonly string[] {
  const { phase, number } = call;
  if (phase.kind !== 'waiting') return [];
  const rank = ({ id, since }: Idle) => [
    phase.rung?.lastIndexOf(id) ?? -1,
    number.ringStrategy === 'longest_idle' ? (since?.getTime() ?? 0) : 0,
    phase.employeeIds.indexOf(id),
  ];
  const compare = (one: readonly number[], other: readonly number[]) =>
    one.map((value, index) => value - (other[index] ?? 0)).find((difference) => difference !== 0) ?? 0;
  return available.toSorted((a, b) => compare(rank(a), rank(b))).map(({ id }) => id);
}

/** A time further away than the whole wait was set before the clock was moved back. */
function isCurrent({ until }: Decline, now: Date): boolean {
  const leftMs = until.getTime() - now.getTime();
  return leftMs > 0 && leftMs <= DECLINED_MS;
}

/** Rings an employee who has been claimed for this call; the claim is released when the call does not wait for it. */
export function offerTo(draft: CallDraft, employee: Participant, forwardTo?: string): void {
  const { phase } = draft.call;
  if (phase.kind !== 'waiting' || !waitsFor(draft.call, employee.id, draft.now)) return;
  const ringSecs = forwardTo === undefined ? RING_SECS : OUTSIDE_RING_SECS;
  const legIds = ringEmployee(draft, employee.id, { forwardTo, ringSecs });
  draft.enter({ ...phase, offers: [...phase.offers, { employee, legIds }], ...ringInTurn(draft, phase, employee.id) });
  draft.move('transferring');
  draft.note({ type: 'offer', what: 'offer_made', employeeId: employee.id });
}

/** Rings one employee after the other: each is noted once, the last one at the end, so that it stays as short as the routing. */
function ringInTurn(draft: CallDraft, { rung = [] }: WaitingPhase, employeeId: string): Pick<WaitingPhase, 'rung'> {
  if (!draft.call.number.ringStrategy) return {};
  draft.due('ring_next', RING_IN_TURN_MS);
  return { rung: [...rung.filter((id) => id !== employeeId), employeeId] };
}

/** The employee who was rung alone did not answer in time. */
export function ringNext(draft: CallDraft, phase: WaitingPhase): void {
  const [offer] = phase.offers;
  if (offer) endUnanswered(draft, phase, offer);
}

/** The phone outside the company that rings for an employee did not answer in time, or pressed no key. */
export function offerUnanswered(draft: CallDraft, phase: WaitingPhase, legId: string): void {
  const offer = phase.offers.find(({ legIds }) => legIds.includes(legId));
  if (offer) endUnanswered(draft, phase, offer);
}

function endUnanswered(draft: CallDraft, phase: WaitingPhase, offer: Offer): void {
  for (const legId of offer.legIds) draft.hangUp(legId, 'NO_ANSWER');
  endOffer(draft, phase, offer, 'offer_unanswered');
}

/** A phone of an offer stopped ringing without an answer. */
export function offerLegEnded(draft: CallDraft, phase: WaitingPhase, leg: Leg, cause: string): void {
  const offer = phase.offers.find(({ legIds }) => legIds.includes(leg.id));
  if (!offer) return;
  const legIds = remainingLegs(draft, offer.legIds, leg, cause);
  if (legIds.length > 0) return replaceOffer(draft, phase, { ...offer, legIds });
  // The hang-up of a phone that went offline is no decline.
  endOffer(draft, phase, offer, leg.hangingUp ? 'offer_withdrawn' : 'offer_declined');
}

/** The employee must not be rung any more. */
export function withdrawOffer(draft: CallDraft, phase: WaitingPhase, employeeId: string): void {
  const offer = phase.offers.find(({ employee }) => employee.id === employeeId);
  if (!offer) return;
  for (const legId of offer.legIds) draft.hangUp(legId, 'ORIGINATOR_CANCEL');
  endOffer(draft, phase, offer, 'offer_withdrawn');
}

function replaceOffer(draft: CallDraft, phase: WaitingPhase, offer: Offer): void {
  draft.enter({
    ...phase,
    offers: phase.offers.map((other) => (other.employee.id === offer.employee.id ? offer : other)),
  });
}

/**
 * An employee who declined is not rung for a while; after a withdrawn offer the employee rings once available again.
 */
function endOffer(
  draft: CallDraft,
  phase: WaitingPhase,
  offer: Offer,
  what: 'offer_declined' | 'offer_unanswered' | 'offer_withdrawn',
): void {
  const { employee } = offer;
  const offers = phase.offers.filter((other) => other !== offer);
  const others = phase.declinedUntil.filter(
    (decline) => decline.employeeId !== employee.id && isCurrent(decline, draft.now),
  );
  const until = new Date(draft.now.getTime() + DECLINED_MS);
  const added = what !== 'offer_withdrawn' ? [{ employeeId: employee.id, until }] : [];
  const declinedUntil = [...others, ...added];
  draft.enter({ ...phase, offers, declinedUntil });
  draft.note({ type: 'offer', what, employeeId: employee.id });
  draft.addCommand({ kind: 'release_offer', employeeId: employee.id });
  awaitRemainingOutsideLegs(draft);
  dispatchAfterDeclines(draft, declinedUntil);
  if (offers.length === 0) draft.move('queued');
  if (!draft.call.number.ringStrategy) return;
  draft.cancel('ring_next');
  draft.addCommand({ kind: 'dispatch_employees' });
}

/** One timer for all: it belongs to the employee who may be rung again first. */
function dispatchAfterDeclines(draft: CallDraft, declinedUntil: readonly Decline[]): void {
  const next = Math.min(...declinedUntil.map(({ until }) => until.getTime()));
  if (Number.isFinite(next)) draft.due('passed_over', next - draft.now.getTime());
}

/** An employee may be rung again; others may still have to wait. */
export function declineEnded(draft: CallDraft, phase: WaitingPhase): void {
  const declinedUntil = phase.declinedUntil.filter((decline) => isCurrent(decline, draft.now));
  draft.enter({ ...phase, declinedUntil });
  dispatchAfterDeclines(draft, declinedUntil);
  draft.addCommand({ kind: 'dispatch_employees' });
}

/** The first phone to answer wins; every other stops ringing. The employee who has won; undefined for a phone that has not. */
export function offerAnswered(draft: CallDraft, phase: WaitingPhase, legId: string): Participant | undefined {
  const won = phase.offers.find(({ legIds }) => legIds.includes(legId));
  if (!won) {
    draft.hangUp(legId, 'LOSE_RACE');
    return undefined;
  }
  for (const id of phase.offers.flatMap(({ legIds }) => legIds)) if (id !== legId) draft.hangUp(id, 'LOSE_RACE');
  draft.note({ type: 'offer', what: 'offer_answered', employeeId: won.employee.id, legId });
  // The conversation is known before the offer ends, so that the employee does not appear available in between.
  draft.addCommand({ kind: 'start_conversation', employeeId: won.employee.id, holdsOthers: true });
  releaseOffers(draft, phase);
  return won.employee;
}

/** Stops every phone and releases the employees. */
export function stopRinging(draft: CallDraft, phase: WaitingPhase): void {
  for (const { employee, legIds } of phase.offers) {
    for (const legId of legIds) draft.hangUp(legId, 'ORIGINATOR_CANCEL');
    draft.note({ type: 'offer', what: 'offer_ended', employeeId: employee.id });
  }
  releaseOffers(draft, phase);
}

function releaseOffers(draft: CallDraft, { offers }: WaitingPhase): void {
  draft.cancel('no_answer', 'passed_over', 'ring_next', 'announce_place');
  queueMoved(draft);
  awaitRemainingOutsideLegs(draft);
  for (const { employee } of offers) draft.addCommand({ kind: 'release_offer', employeeId: employee.id });
}
