import { invalid, Refused } from '@parley/errors';
import type { SpeechService } from '@parley/proto/speech/v1/speech_pb';
import type { Handler, ServicePrincipal } from '@parley/rpc';
import { SPEECH_RATE } from '../audio/speech-samples.ts';
import { writeWav } from '../audio/wav.ts';
import type { RequestQueue } from '../requests/request-queue.ts';
import type { Synthesizer } from './synthesizer.ts';

/** About three and a half minutes; the response must fit into one message. */
const TEXT_LENGTH_MAX = 3000;
const SAMPLES_MAX = 3_900_000;
/** A text without anything to pronounce, such as an emoji, becomes a short silence: a caller must get past it. */
const SILENCE_SECS = 0.5;

export const synthesizeRpc =
  (synthesizer: Synthesizer, queue: RequestQueue): Handler<typeof SpeechService.method.synthesize, ServicePrincipal> =>
  async (request, rpc) => {
    const { text, language, voice } = request;
    if (text.trim() === '') throw new Refused(invalid({ text: ["can't be blank"] }));
    if (text.length > TEXT_LENGTH_MAX) {
      throw new Refused(invalid({ text: [`is too long (maximum is ${TEXT_LENGTH_MAX} characters)`] }));
    }
    const { samples: spoken, engine } = await queue.run(rpc, request, (context) =>
      synthesizer.synthesize({ text, language, voice }, context),
    );
    const samples = spoken.length > 0 ? spoken : new Int16Array(SPEECH_RATE * SILENCE_SECS);
    if (samples.length > SAMPLES_MAX) throw new Refused(invalid({ text: ['is too long for one request'] }));
    return {
      audio: writeWav(samples, SPEECH_RATE),
      contentType: 'audio/wav',
      durationMs: Math.round((samples.length * 1000) / SPEECH_RATE),
      engine,
    };
  };
