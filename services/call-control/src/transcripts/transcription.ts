import { type Decision, decided } from '@parley/errors';

/** The work of transcribing one recording; its id is the recording's name. */
export interface Transcription {
  readonly id: string;
  readonly companyId: string;
  readonly callId: string;
  readonly kind: 'conversation' | 'voicemail';
  /** The length of the recording; absent in those ordered before it was stored. */
  readonly durationMs?: number;
  readonly isDone: boolean;
}

export interface TranscriptionCommand {
  readonly kind: 'transcribe';
  /** The same as in the transcription; absent in commands of earlier versions. */
  readonly durationMs?: number;
}

/** The shorter one of two recordings is first, unless the longer one has waited this much longer. */
const MAY_WAIT_MS_MAX = 30 * 60_000;
/** The length of a recording that may wait for half of it: most voicemails are shorter, most conversations longer. */
const MIDDLING_MS = 60_000;
const LONG_MS = 60_000;

/**
 * Orders the recordings of a company by length, shortest first, whether voicemails or conversations: what somebody waits for is
 * mostly short, and a long one does not wait for ever.
 */
export function mayWaitMs({ durationMs = 0 }: TranscriptionCommand): number {
  return (MAY_WAIT_MS_MAX * durationMs) / (durationMs + MIDDLING_MS);
}

/** Long recordings must not occupy all workers. */
export function isLong({ durationMs = 0 }: TranscriptionCommand): boolean {
  return durationMs > LONG_MS;
}

/** Ordered once per recording, however often the recording arrives. */
export function orderTranscription(
  current: Transcription | undefined,
  ordered: Omit<Transcription, 'isDone'>,
): Decision<Transcription, never, TranscriptionCommand> {
  if (current) return decided(current);
  const { durationMs } = ordered;
  const command = { kind: 'transcribe', ...(durationMs !== undefined && { durationMs }) } as const;
  return decided({ ...ordered, isDone: false }, [], { commands: [command] });
}
