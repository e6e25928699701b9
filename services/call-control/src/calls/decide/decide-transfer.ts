import { type Refusal, notFound, refusal } from '@parley/errors';
import type { Call, Leg } from '../model/call.ts';
import type { CallDraft } from './call-draft.ts';
import type { CallInput } from '../model/call-input.ts';
import { finishWhisper } from './assistant-transfer.ts';
import { blindTargetAnswered, returnToController, startBlindTransfer } from './blind-transfer.ts';
import { bridge, withParticipant } from './conversation.ts';
import { handOverHold, isHoldSettled } from './hold.ts';
import { isOpen, openTransfer, type Transfer, withTransfer } from '../model/transfer.ts';
import { nextCarrier, remainingLegs } from './outside-leg.ts';
import { connectOutside } from './outside-party.ts';
import {
  changeTransfer,
  claimTarget,
  noteTransfer,
  releaseTarget,
  ringTarget,
  TRANSFER_RING_SECS,
} from './transfer-legs.ts';

type Input<Type> = Extract<CallInput, { type: Type }>;

/** Why this employee may not start a transfer of this call; undefined when it is allowed. */
export function refuseStart(call: Call, actorId: string, targetId: string | null): Refusal | undefined {
  const { phase } = call;
  if (phase.kind !== 'talking') return refusal('call_not_transferable', 'the call is not in conversation');
  if (phase.employee.id !== actorId)
    return refusal('not_controller', 'only the employee in conversation can transfer the call');
  if (openTransfer(call.transfers)) return refusal('transfer_in_progress', 'a transfer of this call is already open');
  if (targetId === actorId) return refusal('invalid_target', 'the target is the controller');
  // The conversation is about to begin, or is being resumed.
  if (call.state !== 'bridged' || !isHoldSettled(call))
    return refusal('call_not_transferable', 'the call is not in conversation');
  return undefined;
}

/** Warm: moves the conversation to a conference; the target is rung once the switch has confirmed that. */
export function startTransfer(draft: CallDraft, input: Input<'start_transfer'>): Refusal | undefined {
  const { call } = draft;
  const { target, isBlind = false, forwardTo } = input;
  const isOutside = 'phoneNumber' in target;
  const why = refuseStart(call, input.actorId, isOutside ? null : target.id);
  if (why || call.phase.kind !== 'talking') return why;
  const transfer: Transfer = {
    id: input.transferId,
    state: 'ringing',
    from: call.phase.employee,
    ...(isOutside ? { to: null, outside: target } : { to: target }),
    ...(forwardTo !== undefined && { forwardTo }),
    ...(isBlind && { isBlind }),
    room: `parley-${draft.newId()}`,
    targetLegIds: [],
    isSetUp: isBlind,
    isAbandoned: false,
  };
  draft.set({ transfers: withTransfer(call.transfers, transfer) });
  noteTransfer(draft, transfer);
  if (input.queue && !call.queue) draft.set({ queue: input.queue });
  if (isBlind) {
    startBlindTransfer(draft, call.phase, transfer);
    return undefined;
  }
  draft.move('answered');
  draft.cancel('bridge_overdue');
  for (const legId of handOverHold(draft, input.actorId))
    draft.control({ do: 'join_conference', legId, room: transfer.room });
  draft.due('transfer_ring', TRANSFER_RING_SECS * 1000);
  return undefined;
}

export function completeTransfer(draft: CallDraft, input: Input<'complete_transfer'>): Refusal | undefined {
  const transfer = draft.call.transfers.find(({ id }) => id === input.transferId);
  if (!transfer) return notFound;
  if (![transfer.from?.id, transfer.to?.id].includes(input.actorId))
    return refusal('not_participant', 'only the controller and the target can complete the transfer');
  if (transfer.state === 'completed') return undefined;
  if (!isOpen(transfer)) return notOpen(transfer);
  if (transfer.state === 'ringing') return refusal('transfer_not_consulting', 'the target has not answered yet');
  if (transfer.fromAssistant) finishWhisper(draft, transfer.id);
  else finishTransfer(draft, transfer);
  return undefined;
}

export function cancelTransfer(draft: CallDraft, input: Input<'cancel_transfer'>): Refusal | undefined {
  const transfer = draft.call.transfers.find(({ id }) => id === input.transferId);
  if (!transfer) return notFound;
  if (transfer.from?.id !== input.actorId)
    return refusal('not_controller', 'only the controller can cancel the transfer');
  if (transfer.state === 'cancelled') return undefined;
  if (!isOpen(transfer)) return notOpen(transfer);
  endWithoutTarget(draft, transfer);
  return undefined;
}

/** The start was not confirmed: it is undone, and the transfer stays open until the switch confirms that. */
export function abandonTransfer(draft: CallDraft, { transferId }: Input<'abandon_transfer'>): void {
  const transfer = openTransfer(draft.call.transfers);
  if (transfer?.id !== transferId || transfer.isSetUp) return;
  changeTransfer(draft, transfer, { isAbandoned: true });
  draft.cancel('transfer_ring');
  resume(draft);
}

/** The switch has done, or refused, what moves the conversation to the conference. */
export function conferenceSettled(draft: CallDraft, room: string, wasRefused: boolean): void {
  const transfer = openTransfer(draft.call.transfers);
  if (transfer?.room !== room || transfer.isSetUp || transfer.isAbandoned) return;
  if (wasRefused) return undoTransfer(draft, transfer);
  ringTarget(draft, changeTransfer(draft, transfer, { isSetUp: true }));
}

/** The bridge that undoes an abandoned start is confirmed. */
export function resumptionSettled(draft: CallDraft): void {
  const transfer = openTransfer(draft.call.transfers);
  if (transfer?.isAbandoned) cancelUndone(draft, transfer);
}

/** The customer hears music from here on. */
export function memberJoined(draft: CallDraft, { legId, room, memberId }: Input<'conference_joined'>): void {
  draft.changeLeg(legId, { memberId, parked: false });
  const transfer = openTransfer(draft.call.transfers);
  if (transfer?.room === room && !transfer.isAbandoned && legId === draft.call.customerLegId)
    draft.control({ do: 'hold', room, memberId });
}

export function targetAnswered(draft: CallDraft, transfer: Transfer, legId: string): void {
  if (transfer.state !== 'ringing') return draft.hangUp(legId, 'LOSE_RACE');
  for (const other of transfer.targetLegIds) if (other !== legId) draft.hangUp(other, 'LOSE_RACE');
  draft.cancel('transfer_ring');
  if (transfer.isBlind) return blindTargetAnswered(draft, transfer, legId);
  claimTarget(draft, transfer);
  changeTransfer(draft, transfer, { state: 'consulting', targetLegIds: [legId] });
  // It has waited for the key.
  if (draft.leg(legId)?.outside) draft.control({ do: 'join_conference', legId, room: transfer.room });
}

/** A phone of the target stopped ringing or hung up: without another one, the customer gets the controller again. */
export function targetLegEnded(draft: CallDraft, transfer: Transfer, leg: Leg, cause: string): void {
  const targetLegIds = remainingLegs(draft, transfer.targetLegIds, leg, cause);
  const left = changeTransfer(draft, transfer, { targetLegIds });
  if (targetLegIds.length > 0) return;
  const { outside, state } = transfer;
  const carrier = outside && state === 'ringing' ? nextCarrier(outside, cause) : undefined;
  if (!outside || carrier === undefined) return endWithoutTarget(draft, left);
  ringTarget(draft, changeTransfer(draft, left, { outside: { ...outside, carrier } }));
}

export function transferRingElapsed(draft: CallDraft): void {
  const transfer = openTransfer(draft.call.transfers);
  if (transfer?.state === 'ringing' && !transfer.isAbandoned) endWithoutTarget(draft, transfer);
}

/** Customer and target stay connected; the controller leaves. */
export function finishTransfer(draft: CallDraft, transfer: Transfer): void {
  const { phase } = draft.call;
  const [targetLegId] = transfer.targetLegIds;
  const { from, to, outside } = transfer;
  if (phase.kind !== 'talking' || targetLegId === undefined || !from) return;
  changeTransfer(draft, transfer, { state: 'completed' });
  if (to) {
    draft.enter({ kind: 'talking', employee: to, legId: targetLegId });
    draft.set({ employees: withParticipant(draft.call.employees, to) });
  } else connectOutside(draft, outside?.phoneNumber ?? '', targetLegId);
  draft.addCommand({ kind: 'end_conversation', employeeId: from.id });
  // First: the customer would hear the controller once more.
  draft.hangUp(phase.legId);
  releaseHold(draft, transfer);
  bridge(draft, targetLegId);
  draft.move('bridged');
}

/** The target's phones are hung up, and the customer gets the controller again. */
export function endWithoutTarget(draft: CallDraft, transfer: Transfer): void {
  if (transfer.isBlind) returnToController(draft, transfer);
  else undoTransfer(draft, transfer);
}

function undoTransfer(draft: CallDraft, transfer: Transfer): void {
  cancelUndone(draft, transfer);
  releaseHold(draft, transfer);
  resume(draft);
}

function cancelUndone(draft: CallDraft, transfer: Transfer): void {
  releaseTarget(draft, transfer);
  changeTransfer(draft, transfer, { state: 'cancelled' });
  draft.move('bridged');
}

function resume(draft: CallDraft): void {
  const { phase } = draft.call;
  if (phase.kind === 'talking') bridge(draft, phase.legId);
}

function releaseHold(draft: CallDraft, { room }: Transfer): void {
  const memberId = draft.leg(draft.call.customerLegId)?.memberId;
  if (memberId) draft.control({ do: 'release_hold', room, memberId });
}

function notOpen(transfer: Transfer): Refusal {
  return refusal('transfer_not_open', `the transfer is ${transfer.state}`, {
    extra: { transfer: transferJson(transfer) },
  });
}

/** A transfer as answers show it. */
function transferJson({ id, state, from, fromAssistant, to, outside, isBlind }: Transfer): Record<string, unknown> {
  return {
    id,
    state,
    from_employee: from && { id: from.id, name: from.name },
    ...(fromAssistant && { from_assistant: { id: fromAssistant.id, name: fromAssistant.name } }),
    to_employee: to && { id: to.id, name: to.name },
    ...(outside && { to_phone_number: outside.phoneNumber }),
    ...(isBlind && { mode: 'blind' }),
  };
}
