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
  readonly recordingKind?: Transcription['kind'];
  readonly durationMs?: number;
}

/** A voicemail is read or listened to when there is time; a conversation is continued from its summary. */
const VOICEMAIL_MAY_WAIT_MS = 120_000;
const LONG_MS = 60_000;

/** The extra delay of a recording: short ones come first, and none waits for ever. */
export function mayWaitMs({ recordingKind, durationMs = 0 }: TranscriptionCommand): number {
  return durationMs + (recordingKind === 'voicemail' ? VOICEMAIL_MAY_WAIT_MS : 0);
}

/** Voicemails, of which many may come in one night, and long recordings must not occupy all workers. */
export function isLong({ recordingKind, durationMs = 0 }: TranscriptionCommand): boolean {
  return recordingKind === 'voicemail' || durationMs > LONG_MS;
}

/** Ordered once per recording, however often the recording arrives. */
export function orderTranscription(
  current: Transcription | undefined,
  ordered: Omit<Transcription, 'isDone'>,
): Decision<Transcription, never, TranscriptionCommand> {
  if (current) return decided(current);
  const { kind: recordingKind, durationMs } = ordered;
  const command = { kind: 'transcribe', recordingKind, ...(durationMs !== undefined && { durationMs }) } as const;
  return decided({ ...ordered, isDone: false }, [], { commands: [command] });
}
