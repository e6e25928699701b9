import type { ConversationSpan } from '../calls/model/call.ts';
import type { Participant } from '../calls/model/participant.ts';
import type { Transcript, TranscriptSegment } from '../calls/model/transcript.ts';
import type { RecognizedSegment } from '../speech/speech-client.ts';

/** The fields of a call that a transcript needs. */
interface TranscribedCall {
  readonly id: string;
  readonly companyId: string;
  readonly remoteNumber: string;
  readonly employees: readonly Participant[];
  readonly conversationSpans: readonly ConversationSpan[];
}

/** Events and documents stay well below their limits. */
const TEXT_LENGTH_MAX = 100_000;

/** The transcript of a conversation, with who spoke. */
export function buildTranscript(
  call: TranscribedCall,
  heard: readonly RecognizedSegment[],
  summary: string | null,
): Transcript {
  let length = 0;
  const segments = heard
    .toSorted((a, b) => a.startMs - b.startMs)
    .filter(({ text }) => text.trim() !== '' && (length += text.length) <= TEXT_LENGTH_MAX)
    .map(({ channel, startMs, endMs, text }): TranscriptSegment => {
      const spokenBy = channel === 0 ? undefined : employeeAt(call, (startMs + endMs) / 2);
      return {
        speaker: spokenBy?.name ?? call.remoteNumber,
        text: text.trim(),
        employeeId: spokenBy?.id ?? null,
        startMs,
        endMs,
      };
    });
  const text = segments.map(({ speaker, text: said }) => `${speaker}: ${said}`).join('\n');
  return { id: call.id, companyId: call.companyId, segments, text, summary: summary || null };
}

/** The employee who was connected at a time of the recording. */
function employeeAt({ conversationSpans, employees }: TranscribedCall, recordedMs: number): Participant | undefined {
  return conversationSpans.findLast((span) => span.recordedMs <= recordedMs)?.employee ?? employees[0];
}
