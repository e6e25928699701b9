import type { CallDraft } from './call-draft.ts';
import type { Call } from '../model/call.ts';
import type { Prompt } from '../model/call-flow.ts';
import type { Participant } from '../model/participant.ts';
import { resumeRecording, runningRecording, startRecording } from './conversation-recording.ts';
import { playPrompt } from './play-audio.ts';

/** The switch reports a bridge immediately; otherwise it is queried. */
const BRIDGE_OVERDUE_MS = 5000;

/** An employee (outbound: the other side) has answered. The legs are connected once both wait for it. */
export function startConversation(draft: CallDraft, employee: Participant, legId: string): void {
  draft.set({ employees: withParticipant(draft.call.employees, employee) });
  draft.move('answered');
  // An employee who takes over after a blind transfer does not answer the call once more.
  if (!draft.call.answeredAt) {
    draft.set({ answeredAt: draft.now });
    draft.emit('call-control.call.answered');
  }
  draft.enter({ kind: 'connecting', employee, legId });
  connectWhenParked(draft);
}

/** A leg must have parked before it is bridged: earlier, the originate reports a failure although the leg exists. */
export function connectWhenParked(draft: CallDraft): void {
  const { phase, customerLegId, conversationSpans, assistant } = draft.call;
  if (phase.kind !== 'connecting') return;
  if ([customerLegId, phase.legId].some((id) => !draft.leg(id)?.parked)) return;
  // The remote party was in conversation before, perhaps with an assistant: it goes on being recorded, or not.
  const wasConnected = conversationSpans.length > 0 || (assistant?.since && !draft.call.callback);
  if (wasConnected || runningRecording(draft)) return connect(draft, phase, false);
  const announcement = announcementOf(draft.call);
  if (!announcement) return connect(draft, phase);
  // The other side of an outbound call has answered by itself.
  draft.set({ customerAnswered: true });
  draft.enter({ ...phase, kind: 'announcing', playId: playPrompt(draft, announcement) });
}

/** Nothing delays an emergency call. */
function announcementOf({ number, emergency }: Call): Prompt | undefined {
  return number.recordingEnabled && !emergency ? number.recordingAnnouncement : undefined;
}

/** The remote party has heard the announcement. Without it nothing is recorded. */
export function announced(
  draft: CallDraft,
  phase: Extract<Call['phase'], { kind: 'announcing' }>,
  wasPlayed: boolean,
): void {
  draft.cancel('prompt_overdue');
  if (!wasPlayed) draft.note({ type: 'recording', what: 'recording_not_announced' });
  connect(draft, phase, wasPlayed);
}

function connect(
  draft: CallDraft,
  { employee, legId }: { employee: Participant; legId: string },
  mayRecord = true,
): void {
  if (mayRecord) startRecording(draft);
  else resumeRecording(draft);
  draft.enter({ kind: 'talking', employee, legId });
  bridge(draft, legId);
}

/** The remote party is connected with an employee, perhaps another one than before. */
export function startConversationSpan(draft: CallDraft, employee: Participant, recordedMs: number | undefined): void {
  const { conversationSpans, recordings, assistant } = draft.call;
  if (conversationSpans.at(-1)?.employee.id === employee.id) return;
  const recording = recordings.findLast(({ kind }) => kind === 'conversation');
  const elapsedMs = Math.max(0, draft.now.getTime() - (recording?.startedAt ?? draft.now).getTime());
  const isFirst = conversationSpans.length === 0 && !assistant;
  const from = isFirst ? 0 : (recordedMs ?? elapsedMs);
  const span = { employee, recordedMs: from, ...(assistant && recording && { recording: recording.name }) };
  draft.set({ conversationSpans: [...conversationSpans, span] });
}

/** Connects the remote party with an employee. */
export function bridge(draft: CallDraft, employeeLegId: string): void {
  const { customerLegId, direction } = draft.call;
  draft.control(
    direction === 'inbound'
      ? { do: 'bridge', legId: customerLegId, peerId: employeeLegId }
      : { do: 'bridge', legId: employeeLegId, peerId: customerLegId },
  );
  draft.due('bridge_overdue', BRIDGE_OVERDUE_MS);
}

export function withParticipant(employees: readonly Participant[], joined: Participant): readonly Participant[] {
  return employees.some(({ id }) => id === joined.id) ? employees : [...employees, joined];
}
