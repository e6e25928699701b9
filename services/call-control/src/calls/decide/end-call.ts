import { stopReturning } from './blind-transfer.ts';
import { stopAssisted } from './leave-assistant.ts';
import { assistantLeft, outcomeIfLeft } from './session-updates.ts';
import { failOpenTransfer } from './transfer-legs.ts';
import { isServedByAssistant } from '../model/call.ts';
import { CALL_TIMERS, type HangupCause } from '../model/call-command.ts';
import type { CallDraft } from './call-draft.ts';
import { stopRinging } from './queue.ts';
import { endSupervision } from './supervision.ts';
import { awaitVoicemailAudio, voicemailMeasured } from './voicemail-audio.ts';

/** Hangs up every leg. The call has ended when the remote party's leg has. */
export function hangUpCall(draft: CallDraft, cause: HangupCause = 'NORMAL_CLEARING'): void {
  const { phase } = draft.call;
  if (phase.kind === 'hanging_up' || phase.kind === 'ended') return;
  leavePhase(draft);
  draft.enter({ kind: 'hanging_up' });
  for (const leg of draft.call.legs) draft.hangUp(leg.id, cause);
}

export function finishCall(draft: CallDraft): void {
  if (draft.call.phase.kind === 'ended') return;
  const { phase } = draft.call;
  if ((phase.kind === 'waiting' || phase.kind === 'forwarding') && !draft.call.answeredAt && !draft.call.callback)
    draft.set({ abandoned: true });
  leavePhase(draft);
  // While somebody was rung by the assistant.
  if (phase.kind === 'assisted' && 'actionId' in phase.stage && draft.call.assistant?.outcome === 'abandoned')
    draft.set({ abandoned: true });
  draft.enter({ kind: 'ended' });
  for (const leg of draft.call.legs) draft.hangUp(leg.id, hangUpCauseOfOthers(draft));
  for (const { name, status } of draft.call.recordings) {
    if (status === 'started') recordingStopped(draft, name, null);
    else if (status === 'stopped') draft.addCommand({ kind: 'upload_recording', recording: name });
  }
  awaitVoicemailAudio(draft);
  const { answeredAt, direction, voicemailId, awaitedVoicemail } = draft.call;
  const durationSecs = answeredAt && Math.max(0, Math.floor((draft.now.getTime() - answeredAt.getTime()) / 1000));
  // The plan may have the number of a phone outside, which is of no use any more.
  draft.set({ endedAt: draft.now, durationSecs, noAnswer: null });
  forgetIntroductions(draft);
  draft.move('ended');
  draft.emit('call-control.call.ended');
  const isLost = direction === 'inbound' && !answeredAt && !voicemailId && !awaitedVoicemail;
  if (isLost && !isServedByAssistant(draft.call)) draft.emit('call-control.call.lost');
}

/** What a caller said to an assistant is kept in the session. */
function forgetIntroductions(draft: CallDraft): void {
  const { transfers } = draft.call;
  if (transfers.every(({ sealedIntroduction }) => sealedIntroduction === undefined)) return;
  draft.set({ transfers: transfers.map(({ sealedIntroduction: _, ...transfer }) => transfer) });
}

/** Ringing phones are hung up with the cause that the caller cancelled. */
function hangUpCauseOfOthers({ call }: CallDraft): HangupCause {
  return call.direction === 'inbound' && !call.answeredAt ? 'ORIGINATOR_CANCEL' : 'NORMAL_CLEARING';
}

/** Releases the presence leases of the phase: rung employees, the employee in conversation, an open transfer. */
function leavePhase(draft: CallDraft): void {
  const { phase } = draft.call;
  failOpenTransfer(draft);
  endSupervision(draft);
  if (draft.call.hold) draft.set({ hold: null });
  if (draft.call.recordingPause) draft.set({ recordingPause: null });
  if (phase.kind === 'waiting') stopRinging(draft, phase);
  if (phase.kind === 'assisted' && draft.call.assistant) {
    stopAssisted(draft, 'failed');
    assistantLeft(draft, outcomeIfLeft(draft.call.assistant));
  }
  if (phase.kind === 'calling_employee') {
    const employeeId = phase.offer.employee.id;
    draft.note({ type: 'offer', what: 'offer_ended', employeeId });
    draft.addCommand({ kind: 'release_offer', employeeId });
  }
  if (phase.kind === 'returning') stopReturning(draft, phase);
  if ('employee' in phase) draft.addCommand({ kind: 'end_conversation', employeeId: phase.employee.id });
  draft.cancel(...CALL_TIMERS);
}

/**
 * A recording is complete on the switch. It is fetched from there after the call: commands of a call are executed in
 * order, and an upload may take long.
 */
export function recordingStopped(draft: CallDraft, name: string, durationMs: number | null): void {
  if (durationMs !== null) voicemailMeasured(draft, name, durationMs);
  const recording = draft.call.recordings.find((candidate) => candidate.name === name);
  if (recording?.status !== 'started') return;
  draft.changeRecording(name, { status: 'stopped', durationMs });
  draft.note({ type: 'recording', what: 'recording_stopped' });
  if (draft.call.phase.kind === 'ended') draft.addCommand({ kind: 'upload_recording', recording: name });
}
