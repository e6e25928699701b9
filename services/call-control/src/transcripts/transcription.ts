import { type Decision, decided } from '@parley/errors';

/** The work of transcribing one recording, whose name is its id; or of storing a session with an assistant, which has its own. */
export interface Transcription {
  readonly id: string;
  readonly companyId: string;
  readonly callId: string;
  readonly kind: 'conversation' | 'voicemail' | 'session';
  /** The length of the recording. */
  readonly durationMs: number;
  readonly isDone: boolean;
}

export interface TranscriptionCommand {
  readonly kind: 'transcribe';
  readonly durationMs: number;
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
export function mayWaitMs({ durationMs }: TranscriptionCommand): number {
  return (MAY_WAIT_MS_MAX * durationMs) / (durationMs + MIDDLING_MS);
}

/** Long recordings must not occupy all workers. */
export function isLong({ durationMs }: TranscriptionCommand): boolean {
  return durationMs > LONG_MS;
}

/** Ordered once per recording, however often the recording arrives. */
export function orderTranscription(
  current: Transcription | undefined,
  ordered: Omit<Transcription, 'isDone'>,
): Decision<Transcription, never, TranscriptionCommand> {
  if (current) return decided(current);
  const { durationMs } = ordered;
  return decided({ ...ordered, isDone: false }, [], { commands: [{ kind: 'transcribe', durationMs }] });
}
