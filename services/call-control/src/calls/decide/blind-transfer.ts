import type { Call, Leg } from '../model/call.ts';
import type { Transfer } from '../model/transfer.ts';
import type { CallDraft } from './call-draft.ts';
import { startConversation } from './conversation.ts';
import { handOverHold } from './hold.ts';
import { connectOutside, connectOutsideWhenParked } from './outside-party.ts';
import { playWaitAudio } from './play-audio.ts';
import { connectEmployee, ringEmployee } from './ring-employee.ts';
import { awaitRemainingOutsideLegs, remainingLegs } from './outside-leg.ts';
import { waitForEmployees } from './queue.ts';
import { endSupervision } from './supervision.ts';
import { changeTransfer, claimTarget, releaseTarget, ringTarget, TRANSFER_RING_SECS } from './transfer-legs.ts';

const RETURN_RING_SECS = 30;

type ReturningPhase = Extract<Call['phase'], { kind: 'returning' }>;
type TalkingPhase = Extract<Call['phase'], { kind: 'talking' }>;

/** The controller leaves, the target rings, and the customer waits: for the target, else for the controller, else in the queue. */
export function startBlindTransfer(draft: CallDraft, { employee, legId }: TalkingPhase, transfer: Transfer): void {
  handOverHold(draft, employee.id);
  endSupervision(draft);
  draft.enter({ kind: 'blind_transfer' });
  draft.move('transferring');
  draft.cancel('bridge_overdue', 'phone_return');
  const { customerLegId } = draft.call;
  // Wherever it is or is about to be: in a bridge, on hold, in the conference of a transfer. It hears the wait audio then.
  draft.changeLeg(customerLegId, { parked: false });
  draft.control({ do: 'park', legId: customerLegId });
  draft.hangUp(legId);
  draft.addCommand({ kind: 'end_conversation', employeeId: employee.id });
  ringTarget(draft, transfer);
  draft.due('transfer_ring', TRANSFER_RING_SECS * 1000);
}

/** The customer waits for us, between two employees. */
export function playToTransferredParty(draft: CallDraft): void {
  const { kind } = draft.call.phase;
  if (kind === 'blind_transfer' || kind === 'returning') playWaitAudio(draft);
}

/** The first phone of the target to answer gets the customer. */
export function blindTargetAnswered(draft: CallDraft, transfer: Transfer, legId: string): void {
  const { to, outside } = transfer;
  claimTarget(draft, transfer);
  changeTransfer(draft, transfer, { state: 'completed', targetLegIds: [legId] });
  if (to) return startConversation(draft, to, legId);
  draft.move('answered');
  connectOutside(draft, outside?.phoneNumber ?? '', legId);
  connectOutsideWhenParked(draft);
}

/** The target does not take the customer: the controller is asked, if available. */
export function returnToController(draft: CallDraft, transfer: Transfer): void {
  const { from: controller } = transfer;
  if (!controller) return;
  releaseTarget(draft, transfer);
  changeTransfer(draft, transfer, { state: 'cancelled' });
  draft.enter({ kind: 'returning', controller, offer: null });
  draft.addCommand({ kind: 'claim_employee', employeeId: controller.id });
}

/** The controller has been claimed for the customer, or is not available. */
export function controllerClaimed(
  draft: CallDraft,
  employeeId: string,
  { isClaimed, forwardTo }: { readonly isClaimed: boolean; readonly forwardTo?: string },
): void {
  const { phase } = draft.call;
  if (phase.kind !== 'returning' || phase.offer || phase.controller.id !== employeeId) return;
  if (!isClaimed) return returnToQueue(draft, phase);
  const legIds = ringEmployee(draft, employeeId, { forwardTo, ringSecs: RETURN_RING_SECS });
  draft.enter({ ...phase, offer: { employee: phase.controller, legIds } });
  draft.note({ type: 'offer', what: 'offer_made', employeeId });
  draft.due('employee_ring', RETURN_RING_SECS * 1000);
}

/** The controller takes the customer back. */
export function controllerAnswered(draft: CallDraft, { offer, controller }: ReturningPhase, legId: string): void {
  if (!offer?.legIds.includes(legId)) return draft.hangUp(legId, 'LOSE_RACE');
  connectEmployee(draft, controller.id, offer.legIds, legId);
  draft.cancel('employee_ring');
  draft.note({ type: 'offer', what: 'offer_answered', employeeId: controller.id, legId });
  startConversation(draft, controller, legId);
}

/** A phone of the controller stopped ringing without an answer. */
export function controllerLegEnded(draft: CallDraft, phase: ReturningPhase, leg: Leg, cause: string): void {
  if (!phase.offer?.legIds.includes(leg.id)) return;
  const legIds = remainingLegs(draft, phase.offer.legIds, leg, cause);
  draft.enter({ ...phase, offer: { ...phase.offer, legIds } });
  if (legIds.length === 0) returnToQueue(draft, phase);
}

/** The controller does not take the customer, who waits for an employee. Also for the controller, where nobody else is known. */
export function returnToQueue(draft: CallDraft, { controller, offer }: ReturningPhase): void {
  stopReturning(draft, { controller, offer });
  const queue = draft.call.queue ?? [];
  waitForEmployees(draft, queue.length > 0 ? queue : [controller.id]);
}

/** Stops the controller's phones and releases the controller, also one who is just being claimed. */
export function stopReturning(
  draft: CallDraft,
  { controller, offer }: Pick<ReturningPhase, 'controller' | 'offer'>,
): void {
  for (const legId of offer?.legIds ?? []) draft.hangUp(legId, 'ORIGINATOR_CANCEL');
  if (offer) draft.note({ type: 'offer', what: 'offer_ended', employeeId: controller.id });
  draft.addCommand({ kind: 'release_offer', employeeId: controller.id });
  draft.cancel('employee_ring');
  awaitRemainingOutsideLegs(draft);
}
