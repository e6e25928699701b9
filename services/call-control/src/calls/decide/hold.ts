import { type Refusal, refusal } from '@parley/errors';
import { type Call, isOnHold } from '../model/call.ts';
import type { CallInput } from '../model/call-input.ts';
import { openTransfer } from '../model/transfer.ts';
import type { CallDraft } from './call-draft.ts';
import { bridge } from './conversation.ts';
import { playWaitAudio } from './play-audio.ts';

export const notInConversation = refusal('call_not_in_conversation', 'the call is not in conversation');

/** Why this employee may not hold this call or pause its recording; undefined when it is allowed. */
export function refuseControl(call: Call, actorId: string): Refusal | undefined {
  const { phase } = call;
  if (phase.kind !== 'talking') return notInConversation;
  if (phase.employee.id !== actorId)
    return refusal('not_controller', 'only the employee in conversation controls the call');
  // A transfer holds the customer by itself.
  return call.state === 'bridged' && !openTransfer(call.transfers) ? undefined : notInConversation;
}

/**
 * Puts the remote party on hold, or ends that. The next command is sent when the switch has reported the previous one; the
 * requested state may change any number of times meanwhile.
 */
export function holdCall(draft: CallDraft, { actorId, on }: Extract<CallInput, { type: 'hold' }>): Refusal | undefined {
  const why = refuseControl(draft.call, actorId);
  if (why) return why;
  const { hold } = draft.call;
  if (isOnHold(draft.call) === on) return undefined;
  draft.note({ type: 'hold', what: on ? 'held' : 'resumed', employeeId: actorId });
  if (hold) draft.set({ hold: { ...hold, isWanted: on } });
  else if (isConnected(draft)) park(draft);
  // Nothing connects a party whose employee's phone is missing.
  else if (isPhoneMissing(draft)) keepWaiting(draft, true);
  // Also ordered when it is awaited already: a late report of the conference may be all that says it is not connected.
  else if (draft.call.phase.kind === 'talking') {
    draft.set({ hold: { isWanted: true, status: 'connecting' } });
    bridge(draft, draft.call.phase.legId);
  }
  draft.emit(on ? 'call-control.call.held' : 'call-control.call.resumed');
  if (on && hold?.status === 'parked') playWaitAudio(draft);
  else settleHold(draft);
  return undefined;
}

/** True when the switch has reported the bridge of the conversation, and nothing after it. */
function isConnected(draft: CallDraft): boolean {
  const { phase, customerLegId } = draft.call;
  if (phase.kind !== 'talking') return false;
  // The leg of a phone that has returned waits until then, while the remote party may be connected with the one before.
  const legs = [draft.leg(customerLegId), draft.leg(phase.legId)];
  return legs.every((leg) => leg && !leg.parked && leg.memberId === null);
}

function isPhoneMissing({ call }: CallDraft): boolean {
  const { phase, legs } = call;
  return phase.kind === 'talking' && !legs.some(({ id }) => id === phase.legId);
}

/** Holds a remote party that is not connected; it may still be in the conference of a transfer. */
function keepWaiting(draft: CallDraft, isWanted: boolean): void {
  if (!draft.leg(draft.call.customerLegId)?.parked) return park(draft, isWanted);
  draft.set({ hold: { isWanted, status: 'parked' } });
  if (isWanted) playWaitAudio(draft);
}

function park(draft: CallDraft, isWanted = true): void {
  draft.set({ hold: { isWanted, status: 'parking' } });
  draft.cancel('bridge_overdue');
  draft.control({ do: 'park', legId: draft.call.customerLegId });
}

/** The switch did not put the remote party on hold: it stays connected. */
export function parkRefused(draft: CallDraft, legId: string): void {
  const { hold, phase, customerLegId } = draft.call;
  if (hold?.status !== 'parking' || phase.kind !== 'talking' || legId !== customerLegId) return;
  draft.set({ hold: null });
  // The phone of the employee has returned meanwhile, and waited for the hold to end.
  if (draft.leg(phase.legId)?.parked) bridge(draft, phase.legId);
  if (!hold.isWanted) return;
  draft.note({ type: 'hold', what: 'hold_refused', employeeId: phase.employee.id });
  draft.emit('call-control.call.resumed');
}

/** A leg of the conversation waits for us. */
export function heldLegParked(draft: CallDraft): void {
  const { hold, phase, customerLegId } = draft.call;
  if (!hold || phase.kind !== 'talking') return;
  if (hold.status === 'parking' && draft.leg(customerLegId)?.parked) {
    draft.set({ hold: { ...hold, status: 'parked' } });
    if (hold.isWanted) playWaitAudio(draft);
  }
  settleHold(draft);
}

/** Connects a remote party that is not to wait any longer, once both legs wait for it. */
function settleHold(draft: CallDraft): void {
  const { hold, phase, customerLegId } = draft.call;
  if (hold?.status !== 'parked' || hold.isWanted || phase.kind !== 'talking') return;
  if ([customerLegId, phase.legId].some((id) => !draft.leg(id)?.parked)) return;
  connectHeld(draft, phase.legId);
}

function connectHeld(draft: CallDraft, legId: string): void {
  const { hold } = draft.call;
  if (hold) draft.set({ hold: { ...hold, status: 'connecting' } });
  bridge(draft, legId);
}

/** The switch has connected the conversation: the hold has ended, unless it was requested again meanwhile. */
export function heldPartyConnected(draft: CallDraft): void {
  const { hold } = draft.call;
  // The report of a bridge that was ordered twice, before the legs were parked.
  if (!hold || hold.status === 'parking') return;
  if (hold.isWanted) park(draft);
  else draft.set({ hold: null });
}

/** The phone of the employee is missing: a remote party that was being connected with it waits. */
export function connectionLost(draft: CallDraft): void {
  const { hold } = draft.call;
  draft.cancel('bridge_overdue');
  if (hold?.status === 'connecting') keepWaiting(draft, hold.isWanted);
}

/**
 * The phone of the employee is back: the remote party is connected with it, unless it is on hold. One that was being
 * connected with the phone's leg before is put on hold again by the report of the new connection.
 */
export function connectReturned(draft: CallDraft, legId: string): void {
  if (!isOnHold(draft.call) || draft.call.hold?.status === 'connecting') connectHeld(draft, legId);
}

/** A transfer holds the remote party from now on; gives the legs that have to be moved for it, each by itself. */
export function handOverHold(draft: CallDraft, actorId: string): readonly string[] {
  const { hold, phase, customerLegId } = draft.call;
  if (!hold || phase.kind !== 'talking') return [customerLegId];
  draft.set({ hold: null });
  if (hold.isWanted) {
    draft.note({ type: 'hold', what: 'resumed', employeeId: actorId });
    draft.emit('call-control.call.resumed');
  }
  return [customerLegId, phase.legId];
}

/** True when the legs are in the requested state, or will be after pending commands. */
export function isHoldSettled({ hold }: Pick<Call, 'hold'>): boolean {
  return !hold || (hold.isWanted && hold.status === 'parked');
}
