import { type Decision, decided } from '@parley/errors';

/** The work of transcribing one recording; its id is the recording's name. */
export interface Transcription {
  readonly id: string;
  readonly companyId: string;
  readonly callId: string;
  readonly kind: 'conversation' | 'voicemail';
  readonly isDone: boolean;
}

export interface TranscriptionCommand {
  readonly kind: 'transcribe';
}

/** Ordered once per recording, however often the recording arrives. */
export function orderTranscription(
  current: Transcription | undefined,
  ordered: Omit<Transcription, 'isDone'>,
): Decision<Transcription, never, TranscriptionCommand> {
  if (current) return decided(current);
  return decided({ ...ordered, isDone: false }, [], { commands: [{ kind: 'transcribe' }] });
}
