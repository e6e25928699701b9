import { invalid, Refused } from '@parley/errors';
import type { SpeechService } from '@parley/proto/speech/v1/speech_pb';
import type { Handler, ServicePrincipal } from '@parley/rpc';
import type { RequestQueue } from '../requests/request-queue.ts';
import type { Summarizer } from './summarizer.ts';

const SENTENCES_USUAL = 4;
const SENTENCES_MAX = 20;
/** A call of four hours. */
const LENGTH_MAX = 250_000;

export const summarizeRpc =
  (summarizer: Summarizer, queue: RequestQueue): Handler<typeof SpeechService.method.summarize, ServicePrincipal> =>
  async (request, rpc) => {
    const { text, segments, language, sentencesMax } = request;
    const passages = [text, ...segments.map((segment) => segment.text)].filter((passage) => passage.trim() !== '');
    if (passages.reduce((sum, { length }) => sum + length, 0) > LENGTH_MAX) {
      throw new Refused(invalid({ text: [`is too long (maximum is ${LENGTH_MAX} characters)`] }));
    }
    if (passages.length === 0) return { summary: '', engine: '' };
    const { text: summary, engine } = await queue.run(rpc, request, (context) => {
      const count = Math.min(sentencesMax > 0 ? sentencesMax : SENTENCES_USUAL, SENTENCES_MAX);
      return summarizer.summarize({ passages, language, sentencesMax: count }, context);
    });
    return { summary, engine };
  };
