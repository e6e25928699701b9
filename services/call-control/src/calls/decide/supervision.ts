import { type Refusal, refusal } from '@parley/errors';
import type { Call } from '../model/call.ts';
import type { CallInput } from '../model/call-input.ts';
import type { Supervision } from '../model/supervision.ts';
import type { CallDraft } from './call-draft.ts';
import { notInConversation } from './hold.ts';
import { connectEmployee, ringEmployee } from './ring-employee.ts';

const RING_SECS = 30;

/** Why this employee may not supervise this call; undefined when it is allowed. */
export function refuseSupervision({ phase, supervision }: Call, supervisorId: string): Refusal | undefined {
  if (phase.kind !== 'talking') return notInConversation;
  if (phase.employee.id === supervisorId) return refusal('employee_unavailable', 'the supervisor is in this call');
  return supervision && supervision.supervisor.id !== supervisorId
    ? refusal('supervision_in_progress', 'somebody else supervises this call')
    : undefined;
}

/** Rings the supervisor, who has been claimed; of somebody who supervises already it changes the mode. */
export function superviseCall(
  draft: CallDraft,
  { supervisor, mode }: Extract<CallInput, { type: 'supervise' }>,
): Refusal | undefined {
  const why = refuseSupervision(draft.call, supervisor.id);
  if (why) return why;
  const { supervision } = draft.call;
  if (supervision?.mode === mode) return undefined;
  if (supervision) {
    change(draft, { ...supervision, mode, watchedLegId: null }, 'supervision_mode_changed');
    stopWatching(draft, supervision);
    return undefined;
  }
  const legIds = ringEmployee(draft, supervisor.id, { forwardTo: undefined, ringSecs: RING_SECS });
  const started = { supervisor, mode, legIds, hasAnswered: false, watchedLegId: null };
  change(draft, started, 'supervision_requested');
  draft.due('supervision_ring', RING_SECS * 1000);
  return undefined;
}

/** The first phone to answer wins. */
export function supervisorAnswered(draft: CallDraft, supervision: Supervision, legId: string): void {
  if (supervision.hasAnswered) return draft.hangUp(legId, 'LOSE_RACE');
  connectEmployee(draft, supervision.supervisor.id, supervision.legIds, legId);
  draft.cancel('supervision_ring');
  change(draft, { ...supervision, legIds: [legId], hasAnswered: true }, 'supervision_started');
  watchWhenParked(draft);
}

/** Lets the supervisor hear the employee in conversation, once the supervisor's phone waits for it: also after a transfer. */
export function watchWhenParked(draft: CallDraft): void {
  const { phase, supervision } = draft.call;
  if (!supervision?.hasAnswered || phase.kind !== 'talking' || supervision.watchedLegId === phase.legId) return;
  const [legId] = supervision.legIds;
  // A leg that is not there yet is watched when it is connected.
  if (legId === undefined || !draft.leg(legId)?.parked || !draft.leg(phase.legId)) return;
  const { mode } = supervision;
  draft.set({ supervision: { ...supervision, watchedLegId: phase.legId } });
  draft.control({ do: 'supervise', legId, watchedLegId: phase.legId, mode, playId: draft.newId() });
}

/** The switch takes another mode once the phone has left the one before, which it reports by parking it. */
function stopWatching(draft: CallDraft, { legIds: [legId], watchedLegId }: Supervision): void {
  if (legId === undefined || watchedLegId === null) return;
  draft.changeLeg(legId, { parked: false });
  draft.control({ do: 'park', legId });
}

/** A phone of the supervisor stopped ringing or hung up. */
export function supervisorLegEnded(draft: CallDraft, supervision: Supervision, legId: string): void {
  const legIds = supervision.legIds.filter((id) => id !== legId);
  draft.set({ supervision: { ...supervision, legIds } });
  if (legIds.length === 0) endSupervision(draft);
}

/** The supervisor leaves; `employeeId`: only if it is this one. */
export function endSupervision(draft: CallDraft, employeeId?: string): void {
  const { supervision } = draft.call;
  if (!supervision || (employeeId !== undefined && supervision.supervisor.id !== employeeId)) return;
  const { id } = supervision.supervisor;
  for (const legId of supervision.legIds) draft.hangUp(legId);
  draft.addCommand({ kind: supervision.hasAnswered ? 'end_conversation' : 'release_offer', employeeId: id });
  draft.cancel('supervision_ring');
  change(draft, null, 'supervision_ended', supervision);
}

function change(draft: CallDraft, supervision: Supervision | null, what: string, of = supervision): void {
  draft.set({ supervision });
  if (of) draft.note({ type: 'supervision', what, employeeId: of.supervisor.id, detail: of.mode });
  draft.emit('call-control.call.updated');
}
