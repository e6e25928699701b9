import type { Refusal } from '@parley/errors';
import type { Call, Callback, SwitchReference } from '../model/call.ts';
import { awaitsCallback } from '../model/call.ts';
import { CALL_TIMERS } from '../model/call-command.ts';
import type { Participant } from '../model/participant.ts';
import { queueMoved } from './announce-place.ts';
import { refuseEnd } from './assisted-call.ts';
import type { CallDraft } from './call-draft.ts';
import { finishCall, hangUpCall } from './end-call.ts';
import { stopAssisted } from './leave-assistant.ts';
import { assistantLeft } from './session-updates.ts';
import { dialCarrier } from './outbound-call.ts';
import { awaitOutsideLegs } from './outside-leg.ts';
import { stopRinging } from './queue.ts';

/** Whoever goes on pressing the key causes no more work than this. */
const ASK_AGAIN_MS = 10_000;
const ATTEMPTS_MAX = 2;
const BETWEEN_ATTEMPTS_MS = 5 * 60_000;
/** So that whoever hung up is not rung again at once. */
const UNTIL_NEXT_EMPLOYEE_MS = 15_000;
/** The limit of the wait, and of the conversation that follows. */
const LENGTH_MAX_MS = 4 * 3_600_000;
/** The switch's commands say when there is no further one. */
const CARRIERS_MAX = 100;

type DialingPhase = Extract<Call['phase'], { kind: 'dialing' }>;
type WaitingPhase = Extract<Call['phase'], { kind: 'waiting' }>;

/** The waiting caller wants to be called back, which the company may have no room for. */
export function askForCallback(draft: CallDraft): void {
  const { number, callback, callbackAskedAt } = draft.call;
  const sinceMs = callbackAskedAt ? draft.now.getTime() - callbackAskedAt.getTime() : Infinity;
  if (!number.callbackPrompt || callback || (sinceMs >= 0 && sinceMs < ASK_AGAIN_MS)) return;
  draft.set({ callbackAskedAt: draft.now });
  draft.addCommand({ kind: 'permit_callback' });
}

/** The caller hangs up, keeps the place, and is called when it is the turn of this call; not permitted, the caller goes on waiting. */
export function callbackPermitted(draft: CallDraft, isPermitted: boolean): void {
  const { phase, callback } = draft.call;
  if (phase.kind !== 'waiting' || callback) return;
  if (!isPermitted) return draft.note({ type: 'input', what: 'callback_refused' });
  draft.cancel('no_answer', 'announce_place');
  awaitTurn(draft, {});
}

function awaitTurn(draft: CallDraft, number: Pick<Callback, 'number'>): void {
  draft.set({ callback: { requestedAt: draft.now, state: 'waiting', attempts: 0, notBefore: null, ...number } });
  draft.note({ type: 'input', what: 'callback_requested' });
  draft.due('max_length', LENGTH_MAX_MS);
  draft.hangUp(draft.call.customerLegId);
  draft.addCommand({ kind: 'replace_callbacks' });
}

/** The phases in which a caller hangs up who was told to be called back, and was not served since. */
const PROMISED_IN: ReadonlySet<Call['phase']['kind']> = new Set(['assisted', 'prompt', 'waiting', 'forwarding']);

/** An assistant has told the caller, who leaves now, that somebody calls back: the call waits for that. False when nothing was said. */
export function keepPromisedCallback(draft: CallDraft): boolean {
  const { assistant, callback, phase, answeredAt, queuedAt, from } = draft.call;
  const promised = assistant?.promisedCallback;
  if (!promised || callback || answeredAt || !PROMISED_IN.has(phase.kind)) return false;
  if (phase.kind === 'waiting') stopRinging(draft, phase);
  stopAssisted(draft, 'failed');
  assistantLeft(draft, 'callback_requested');
  draft.cancel(...CALL_TIMERS);
  for (const { id } of draft.call.legs) draft.hangUp(id);
  draft.move('queued');
  if (!queuedAt) {
    draft.set({ queuedAt: draft.now });
    draft.emit('call-control.call.queued');
  }
  const { number, employeeIds } = promised;
  draft.set({ queue: employeeIds });
  draft.enter({ kind: 'waiting', playId: '', employeeIds, offers: [], declinedUntil: [] });
  awaitTurn(draft, number === null || number === from ? {} : { number });
  draft.addCommand({ kind: 'dispatch_employees' });
  queueMoved(draft);
  return true;
}

/** The assistant has said goodbye. */
export function endAssistedCall(draft: CallDraft): Refusal | undefined {
  const why = refuseEnd(draft);
  if (why || draft.call.phase.kind !== 'assisted') return why;
  if (!keepPromisedCallback(draft)) hangUpCall(draft);
  return undefined;
}

/** An employee has answered for a caller who waits to be called back. */
export function callBack(draft: CallDraft, employee: Participant, legId: string): void {
  draft.enter({ kind: 'dialing', employee, legId, carrier: 0, carriers: CARRIERS_MAX });
  change(draft, { state: 'calling', attempts: (draft.call.callback?.attempts ?? 0) + 1, notBefore: null });
  dialCarrier(draft, 0);
}

/** The caller has answered. */
export function callbackAnswered(draft: CallDraft): void {
  if (!draft.call.callback) return;
  change(draft, { state: 'connected' });
  draft.due('max_length', LENGTH_MAX_MS);
}

/**
 * The caller was not reached, or the employee hung up before: once more later, or never. Where the employee was faster
 * than the order to call the caller, nobody was called: that is no attempt, and an employee is looked for soon.
 */
export function callbackFailed(draft: CallDraft, { legId, employee }: DialingPhase): void {
  const { callback, customerLegId } = draft.call;
  const wasCalled = draft.leg(customerLegId)?.status !== 'ordered';
  draft.hangUp(legId);
  draft.hangUp(customerLegId, 'ORIGINATOR_CANCEL');
  const attempts = (callback?.attempts ?? 0) - Number(!wasCalled);
  if (attempts >= ATTEMPTS_MAX) return giveUpCallback(draft);
  draft.addCommand({ kind: 'end_conversation', employeeId: employee.id });
  const waitMs = wasCalled ? BETWEEN_ATTEMPTS_MS : UNTIL_NEXT_EMPLOYEE_MS;
  change(draft, { state: 'waiting', attempts, notBefore: new Date(draft.now.getTime() + waitMs) });
  draft.due('callback', waitMs);
  draft.move('queued');
  draft.enter({ kind: 'waiting', playId: '', employeeIds: draft.call.queue ?? [], offers: [], declinedUntil: [] });
  queueMoved(draft);
}

/** The caller may be called again. */
export function callbackDue(draft: CallDraft): void {
  if (draft.call.phase.kind !== 'waiting') return;
  change(draft, { notBefore: null });
  draft.addCommand({ kind: 'dispatch_employees' });
}

/** Also when the caller has been served otherwise, or nobody had time for too long. */
export function giveUpCallback(draft: CallDraft): void {
  if (!awaitsCallback(draft.call)) return;
  change(draft, { state: 'given_up', notBefore: null });
  finishCall(draft);
}

/** The caller waited in an earlier call to be called back: this one takes its place. */
export function takeEarlierPlace(draft: CallDraft, since: Date | null): void {
  const { queuedAt } = draft.call;
  if (!since || !awaitsCallback(draft.call) || (queuedAt && queuedAt <= since)) return;
  draft.set({ queuedAt: since });
  queueMoved(draft);
}

/** The switch has lost its calls: a callback has no leg there, and continues. */
export function keepCallback(draft: CallDraft, next: SwitchReference | undefined): boolean {
  const { phase } = draft.call;
  if (!awaitsCallback(draft.call) || (phase.kind !== 'waiting' && phase.kind !== 'dialing')) return false;
  if (draft.call.legs.length > 0) {
    draft.set({ legs: [] });
    awaitOutsideLegs(draft);
  }
  if (phase.kind === 'dialing') callbackFailed(draft, phase);
  else if (phase.offers.length > 0) withdrawAll(draft, phase);
  if (next) draft.set({ switch: next });
  if (next && draft.call.phase.kind === 'waiting') draft.addCommand({ kind: 'dispatch_employees' });
  return true;
}

/** The switch takes no new calls: a callback that has no leg there continues on another one. */
export function moveCallback(draft: CallDraft, next: SwitchReference): void {
  if (hasNoLeg(draft.call)) draft.set({ switch: next });
}

/** True for a callback that nobody is being rung for. */
export function hasNoLeg(call: Call): boolean {
  const { phase, legs } = call;
  return awaitsCallback(call) && phase.kind === 'waiting' && phase.offers.length === 0 && legs.length === 0;
}

function withdrawAll(draft: CallDraft, phase: WaitingPhase): void {
  stopRinging(draft, phase);
  draft.enter({ ...phase, offers: [] });
  draft.move('queued');
}

function change(draft: CallDraft, changed: Partial<Callback>): void {
  const { callback } = draft.call;
  if (!callback) return;
  draft.set({ callback: { ...callback, ...changed } });
  if (changed.state) draft.note({ type: 'state', what: `callback_${changed.state}` });
}
