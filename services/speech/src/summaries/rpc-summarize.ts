import { invalid, Refused } from '@parley/errors';
import type { SpeechService } from '@parley/proto/speech/v1/speech_pb';
import type { Handler, ServicePrincipal } from '@parley/rpc';
import type { SpeechDeps } from '../speech-deps.ts';

const SENTENCES_USUAL = 4;
const SENTENCES_MAX = 20;
/** A call of four hours. */
const LENGTH_MAX = 250_000;

export const summarizeRpc =
  ({
    summarizer,
    conductors,
  }: Pick<SpeechDeps, 'summarizer' | 'conductors'>): Handler<typeof SpeechService.method.summarize, ServicePrincipal> =>
  async ({ text, segments, language, sentencesMax }, call) => {
    const passages = [text, ...segments.map((segment) => segment.text)].filter((passage) => passage.trim() !== '');
    if (passages.reduce((sum, { length }) => sum + length, 0) > LENGTH_MAX) {
      throw new Refused(invalid({ text: [`is too long (maximum is ${LENGTH_MAX} characters)`] }));
    }
    if (passages.length === 0) return { summary: '', engine: '' };
    const { text: summary, engine } = await conductors.summary.conduct(call, (signal) => {
      const count = Math.min(sentencesMax > 0 ? sentencesMax : SENTENCES_USUAL, SENTENCES_MAX);
      return summarizer.summarize({ passages, language, sentencesMax: count }, signal);
    });
    return { summary, engine };
  };
