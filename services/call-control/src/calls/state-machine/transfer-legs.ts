import type { CallDraft } from './call-draft.ts';
import { orderLegs } from './queue.ts';
import { openTransfer, type Transfer } from '../model/transfer.ts';

/** Changes the open transfer or the one with the same id. */
export function changeTransfer(draft: CallDraft, transfer: Transfer, change: Partial<Transfer>): Transfer {
  const changed = { ...transfer, ...change };
  const transfers = draft.call.transfers.map((other) => (other.id === transfer.id ? changed : other));
  draft.set({ transfers });
  if (change.state && change.state !== transfer.state)
    draft.note({ type: 'transfer', what: change.state, employeeId: transfer.to.id });
  return changed;
}

/** Rings the target's phones, which join the conference when they answer. */
export function ringTarget(draft: CallDraft, transfer: Transfer, timeoutSecs: number): void {
  const targetLegIds = orderLegs(draft, transfer.to.id);
  const { room } = changeTransfer(draft, transfer, { targetLegIds });
  draft.order({ kind: 'ring', employeeId: transfer.to.id, legIds: targetLegIds, timeoutSecs, room });
}

/** Ends the target's part: its phones, and what holds the employee. */
export function releaseTarget(draft: CallDraft, { state, to, targetLegIds }: Transfer): void {
  for (const legId of targetLegIds) draft.hangUp(legId, 'ORIGINATOR_CANCEL');
  draft.order(
    state === 'consulting'
      ? { kind: 'end_conversation', employeeId: to.id }
      : { kind: 'release_offer', employeeId: to.id },
  );
  draft.cancel('transfer_ring');
}

/** The customer hung up or the call failed. */
export function failOpenTransfer(draft: CallDraft): void {
  const transfer = openTransfer(draft.call.transfers);
  if (!transfer) return;
  releaseTarget(draft, transfer);
  changeTransfer(draft, transfer, { state: 'failed' });
}
