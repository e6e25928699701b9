import type { Call, ConversationSpan } from '../calls/model/call.ts';
import type { Participant } from '../calls/model/participant.ts';
import type { Transcript, TranscriptPart, TranscriptSegment } from '../calls/model/transcript.ts';
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
  const segments = spokenSegments(call, heard);
  return { id: call.id, companyId: call.companyId, segments, text: textOf(segments), summary: summary || null };
}

type HeardCall = Omit<TranscribedCall, 'id' | 'companyId'>;

function spokenSegments(call: HeardCall, heard: readonly RecognizedSegment[]): TranscriptSegment[] {
  let length = 0;
  return heard
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
}

const textOf = (segments: readonly TranscriptSegment[]): string =>
  segments.map(({ speaker, text }) => `${speaker}: ${text}`).join('\n');

type AssistedCall = Pick<
  Call,
  'id' | 'companyId' | 'remoteNumber' | 'employees' | 'conversationSpans' | 'recordings' | 'assistant'
>;

/**
 * From where on a recording is listened to: what was said to an assistant before is known. Null for one in which nobody but an
 * assistant talked with the caller.
 */
export function listenedFromMs(
  { assistant, conversationSpans, recordings }: AssistedCall,
  name: string,
): number | null {
  if (!assistant) return 0;
  const own = conversationSpans.find(({ recording }) => recording === name);
  if (own) return own.recordedMs;
  const earlier = recordings.slice(
    0,
    recordings.findIndex((recording) => recording.name === name),
  );
  return earlier.some((recording) => conversationSpans.some((span) => span.recording === recording.name)) ? 0 : null;
}

/** What was heard in one recording of a call with an assistant. */
export function recordedPart(
  call: AssistedCall,
  name: string,
  heard: readonly RecognizedSegment[],
  summary: string | null,
): TranscriptPart {
  const { recordings, conversationSpans } = call;
  const own = conversationSpans.filter(({ recording }) => recording === name);
  // Whoever talked with the caller before the recording began goes on in it.
  const before = own.length === 0 ? conversationSpans.slice(-1).map((span) => ({ ...span, recordedMs: 0 })) : own;
  const segments = spokenSegments({ ...call, conversationSpans: before }, heard);
  const startedAt = recordings.find((recording) => recording.name === name)?.startedAt ?? new Date(0);
  return { source: name, segments, summary: summary || null, startedAt };
}

/** The transcript with a part; one of the same source is replaced. The session is first, and recordings follow in their order. */
export function withPart(
  { id, companyId, recordings }: Pick<Call, 'id' | 'companyId' | 'recordings'>,
  current: Transcript | undefined,
  part: TranscriptPart,
): Transcript {
  const others = (current?.parts ?? []).filter(({ source }) => source !== part.source);
  const order = (source: string) => recordings.findIndex(({ name }) => name === source);
  const parts = [...others, part].toSorted((a, b) => order(a.source) - order(b.source));
  const begins = [
    ...parts.map(({ startedAt }) => startedAt.getTime()),
    ...recordings.filter(({ kind }) => kind === 'conversation').map(({ startedAt }) => startedAt.getTime()),
  ];
  const segments = parts.flatMap((one) => {
    const offset = one.startedAt.getTime() - Math.min(...begins);
    return one.segments.map((segment) => ({
      ...segment,
      startMs: segment.startMs + offset,
      endMs: segment.endMs + offset,
    }));
  });
  const summary = parts.flatMap((one) => one.summary ?? []).join(' ') || null;
  return { id, companyId, segments, text: textOf(segments), summary, parts };
}

/** The employee who was connected at a time of the recording. */
function employeeAt({ conversationSpans, employees }: HeardCall, recordedMs: number): Participant | undefined {
  return conversationSpans.findLast((span) => span.recordedMs <= recordedMs)?.employee ?? employees[0];
}
