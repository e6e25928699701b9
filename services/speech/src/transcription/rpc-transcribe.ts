import { invalid, Refused } from '@parley/errors';
import type { SpeechService } from '@parley/proto/speech/v1/speech_pb';
import type { Handler, ServicePrincipal } from '@parley/rpc';
import type { SpeechDeps } from '../speech-deps.ts';

export const transcribeRpc =
  ({
    transcriber,
    conductors,
  }: Pick<SpeechDeps, 'transcriber' | 'conductors'>): Handler<
    typeof SpeechService.method.transcribe,
    ServicePrincipal
  > =>
  async ({ audio, language, startMs }, call) => {
    const transcript = await conductors.transcription.conduct(call, (signal) =>
      transcriber.transcribe({ wav: audio, language }, signal),
    );
    if (!transcript) throw new Refused(invalid({ audio: ['is not a WAV file that can be read'] }));
    const { segments, ...about } = transcript;
    return {
      ...about,
      segments: segments.map((segment) => ({
        ...segment,
        startMs: segment.startMs + startMs,
        endMs: segment.endMs + startMs,
      })),
    };
  };
