import { withdrawFromAssisted } from './assisted-call.ts';
import { returnToQueue } from './blind-transfer.ts';
import type { CallDraft } from './call-draft.ts';
import { endWithoutTarget, finishTransfer, transferRingElapsed } from './decide-transfer.ts';
import { hangUpCall } from './end-call.ts';
import { openTransfer } from '../model/transfer.ts';
import { stopCallingEmployee } from './outbound-call.ts';
import { withdrawOffer } from './queue.ts';
import { endSupervision } from './supervision.ts';

/**
 * The employee has left the company and leaves the call. A customer who is about to be passed on gets the target of the
 * transfer; otherwise it is as if the employee had hung up.
 */
export function employeeRemoved(draft: CallDraft, employeeId: string): void {
  endSupervision(draft, employeeId);
  if (draft.call.phase.kind === 'assisted') return withdrawFromAssisted(draft, employeeId, true);
  const transfer = openTransfer(draft.call.transfers);
  if (transfer?.to?.id === employeeId && !transfer.isAbandoned) endWithoutTarget(draft, transfer);
  const { phase } = draft.call;
  if (phase.kind === 'waiting') return leaveQueue(draft, employeeId);
  if (phase.kind === 'calling_employee' && phase.offer.employee.id === employeeId)
    return stopCallingEmployee(draft, phase);
  if (phase.kind === 'returning' && phase.controller.id === employeeId) return returnToQueue(draft, phase);
  if (!('employee' in phase) || phase.employee.id !== employeeId) return;
  draft.note({ type: 'leg', what: 'employee_removed', employeeId });
  if (transfer?.state === 'consulting' && transfer.from?.id === employeeId) finishTransfer(draft, transfer);
  else if (draft.leg(phase.legId)) draft.hangUp(phase.legId);
  // The phone has been missing: nothing would report the end of its leg.
  else hangUpCall(draft);
}

function leaveQueue(draft: CallDraft, employeeId: string): void {
  const { phase } = draft.call;
  if (phase.kind !== 'waiting') return;
  withdrawOffer(draft, phase, employeeId);
  const { phase: after } = draft.call;
  if (after.kind === 'waiting' && after.employeeIds.includes(employeeId))
    draft.enter({ ...after, employeeIds: after.employeeIds.filter((id) => id !== employeeId) });
}

/** Do-not-disturb withdraws what rings at the employee, the target of a transfer included. */
export function withdraw(draft: CallDraft, employeeId: string): void {
  const { phase, transfers, supervision } = draft.call;
  const transfer = openTransfer(transfers);
  if (supervision && !supervision.hasAnswered) endSupervision(draft, employeeId);
  if (phase.kind === 'assisted') return withdrawFromAssisted(draft, employeeId);
  if (phase.kind === 'waiting') withdrawOffer(draft, phase, employeeId);
  else if (phase.kind === 'calling_employee' && phase.offer.employee.id === employeeId)
    stopCallingEmployee(draft, phase);
  else if (phase.kind === 'returning' && phase.offer?.employee.id === employeeId) returnToQueue(draft, phase);
  else if (transfer?.state === 'ringing' && transfer.to?.id === employeeId && transfer.isSetUp)
    transferRingElapsed(draft);
}
