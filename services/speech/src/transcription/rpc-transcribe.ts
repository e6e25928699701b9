import { invalid, Refused } from '@parley/errors';
import type { SpeechService } from '@parley/proto/speech/v1/speech_pb';
import type { Handler, ServicePrincipal } from '@parley/rpc';
import type { RequestQueue } from '../requests/request-queue.ts';
import type { Transcriber } from './transcriber.ts';

export const transcribeRpc =
  (transcriber: Transcriber, queue: RequestQueue): Handler<typeof SpeechService.method.transcribe, ServicePrincipal> =>
  async (request, rpc) => {
    const { audio: wav, language, startMs, moreFollows } = request;
    // Inside the service times are those of the piece, outside those of the recording.
    const inRecording = (ms: number) => ms + startMs;
    const doneUntilMs = request.transcribedUntilMs.map((ms) => ms - startMs);
    const transcript = await queue.run(rpc, { companyId: request.companyId }, (context) =>
      transcriber.transcribe({ wav, language, moreFollows, doneUntilMs }, context),
    );
    if (!transcript) throw new Refused(invalid({ audio: ['is not a WAV file that can be read'] }));
    const { segments, durationMs, engine } = transcript;
    const transcribedUntilMs = transcript.doneUntilMs.map(inRecording);
    return {
      segments: segments.map((segment) => ({
        ...segment,
        startMs: inRecording(segment.startMs),
        endMs: inRecording(segment.endMs),
      })),
      channelCount: transcribedUntilMs.length,
      durationMs,
      engine,
      continueAtMs: Math.min(...transcribedUntilMs),
      transcribedUntilMs,
    };
  };
