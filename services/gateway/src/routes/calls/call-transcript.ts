import { z } from 'zod';
import { callSchema } from '@parley/public-json';

type Call = z.output<typeof callSchema>;

/** The limit of one call in a tool's result; its transcript is available in pages. */
const CALL_BYTES_MAX = 40_000;
const TRANSCRIPTION_LENGTH = 4_000;

/** The transcript of a call. */
export const transcriptSchema = z.object({ segments: callSchema.shape.transcription_segments.unwrap() });

export function transcriptOf(call: unknown): z.output<typeof transcriptSchema> {
  return { segments: (call as Call).transcription_segments ?? [] };
}

/** The call itself, unless its transcript is too long for an assistant: then the beginning of it, without segments. */
export function withShortTranscript(call: Call): Call {
  if (Buffer.byteLength(JSON.stringify(call)) <= CALL_BYTES_MAX) return call;
  const transcription = call.transcription && `${call.transcription.slice(0, TRANSCRIPTION_LENGTH).toWellFormed()}…`;
  return { ...call, transcription, transcription_segments: null };
}
