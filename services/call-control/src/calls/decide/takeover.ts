import { type Refusal, refusal } from '@parley/errors';
import type { Call, Leg } from '../model/call.ts';
import type { Takeover } from '../model/call-assistant.ts';
import type { CallInput } from '../model/call-input.ts';
import type { CallDraft } from './call-draft.ts';
import { awaitRemainingOutsideLegs, remainingLegs } from './outside-leg.ts';
import { ringEmployee } from './ring-employee.ts';
import { tellSession } from './session-updates.ts';

const RING_SECS = 30;

/** Why nobody may take this call over from an assistant now; undefined when that is allowed. */
export function refuseTakeover({ phase, takeover }: Call): Refusal | undefined {
  if (phase.kind !== 'assisted' || phase.stage.kind === 'leaving')
    return refusal('assistant_not_in_call', 'no assistant is in this call');
  return takeover || phase.stage.kind === 'handing_over'
    ? refusal('takeover_in_progress', 'somebody is taking the call over')
    : undefined;
}

/** Rings the phones of the employee, who has been claimed; the assistant goes on meanwhile. */
export function startTakeover(
  draft: CallDraft,
  { employee, forwardTo }: Extract<CallInput, { type: 'start_takeover' }>,
): Refusal | undefined {
  const why = refuseTakeover(draft.call);
  if (why) return why;
  const legIds = ringEmployee(draft, employee.id, { forwardTo, ringSecs: RING_SECS });
  draft.due('takeover_ring', RING_SECS * 1000);
  change(draft, { employee, legIds }, 'takeover_requested');
  tellSession(draft, { kind: 'takeover_requested', employee });
  return undefined;
}

/** A phone stopped ringing without an answer: with the last one the takeover ends. */
export function takeoverLegEnded(draft: CallDraft, takeover: Takeover, leg: Leg, cause: string): void {
  const legIds = remainingLegs(draft, takeover.legIds, leg, cause);
  draft.set({ takeover: { ...takeover, legIds } });
  if (legIds.length === 0) endTakeover(draft);
}

/** The phones stop ringing; `employeeId`: only if it is this employee. */
export function endTakeover(draft: CallDraft, employeeId?: string): void {
  const { takeover } = draft.call;
  if (!takeover || (employeeId !== undefined && takeover.employee.id !== employeeId)) return;
  for (const legId of takeover.legIds) draft.hangUp(legId, 'ORIGINATOR_CANCEL');
  draft.addCommand({ kind: 'release_offer', employeeId: takeover.employee.id });
  draft.cancel('takeover_ring');
  change(draft, null, 'takeover_ended', takeover);
  awaitRemainingOutsideLegs(draft);
}

function change(draft: CallDraft, takeover: Takeover | null, what: string, of = takeover): void {
  draft.set({ takeover });
  draft.note({ type: 'assistant', what, ...(of && { employeeId: of.employee.id }) });
}
