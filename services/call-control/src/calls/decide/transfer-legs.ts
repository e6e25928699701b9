import type { CallDraft } from './call-draft.ts';
import { dialOutside } from './outside-party.ts';
import { ringEmployee } from './ring-employee.ts';
import { awaitRemainingOutsideLegs, RING_LEEWAY_SECS } from './outside-leg.ts';
import { openTransfer, type Transfer } from '../model/transfer.ts';

export const TRANSFER_RING_SECS = 30;

/** Changes the open transfer or the one with the same id. */
export function changeTransfer(draft: CallDraft, transfer: Transfer, change: Partial<Transfer>): Transfer {
  const changed = { ...transfer, ...change };
  const transfers = draft.call.transfers.map((other) => (other.id === transfer.id ? changed : other));
  draft.set({ transfers });
  if (change.state && change.state !== transfer.state) noteTransfer(draft, changed);
  return changed;
}

export function noteTransfer(draft: CallDraft, { state, to, outside }: Transfer): void {
  draft.note({
    type: 'transfer',
    what: state,
    ...(to && { employeeId: to.id }),
    ...(outside && { detail: outside.phoneNumber }),
  });
}

/** Rings the target's phones. In a warm transfer they join the conference when they answer. */
export function ringTarget(draft: CallDraft, transfer: Transfer): void {
  const { to, outside, forwardTo } = transfer;
  const room = transfer.isBlind ? null : transfer.room;
  if (!to && !outside) return;
  const targetLegIds = to
    ? ringEmployee(draft, to.id, { forwardTo, ringSecs: TRANSFER_RING_SECS, room })
    : [dialOutside(draft, outside!, { timeoutSecs: TRANSFER_RING_SECS + RING_LEEWAY_SECS, room })];
  changeTransfer(draft, transfer, { targetLegIds });
}

/** Ends the target's part: its phones, and what holds the employee. */
export function releaseTarget(draft: CallDraft, { state, to, targetLegIds }: Transfer): void {
  for (const legId of targetLegIds) draft.hangUp(legId, 'ORIGINATOR_CANCEL');
  if (to)
    draft.addCommand(
      state === 'consulting'
        ? { kind: 'end_conversation', employeeId: to.id }
        : { kind: 'release_offer', employeeId: to.id },
    );
  draft.cancel('transfer_ring');
  awaitRemainingOutsideLegs(draft);
}

/** The target is in the call. */
export function claimTarget(draft: CallDraft, { to }: Transfer): void {
  if (!to) return;
  draft.addCommand({ kind: 'start_conversation', employeeId: to.id });
  draft.addCommand({ kind: 'release_offer', employeeId: to.id });
}

/** The customer hung up or the call failed. */
export function failOpenTransfer(draft: CallDraft): void {
  const transfer = openTransfer(draft.call.transfers);
  if (!transfer) return;
  releaseTarget(draft, transfer);
  changeTransfer(draft, transfer, { state: 'failed' });
}
