import { invalid, Refused } from '@parley/errors';
import type { SpeechService } from '@parley/proto/speech/v1/speech_pb';
import type { Handler, ServicePrincipal } from '@parley/rpc';
import type { RequestQueue } from '../requests/request-queue.ts';
import type { Embedder } from './embedder.ts';

const TEXTS_MAX = 256;
const TEXT_LENGTH_MAX = 20_000;

export const embedRpc =
  (embedder: Embedder, queue: RequestQueue): Handler<typeof SpeechService.method.embed, ServicePrincipal> =>
  async (request, rpc) => {
    const { texts } = request;
    if (texts.length > TEXTS_MAX) throw new Refused(invalid({ texts: [`are too many (maximum is ${TEXTS_MAX})`] }));
    const long = texts.findIndex(({ length }) => length > TEXT_LENGTH_MAX);
    if (long !== -1) {
      throw new Refused(invalid({ [`texts[${long}]`]: [`is too long (maximum is ${TEXT_LENGTH_MAX} characters)`] }));
    }
    const { vectors, model } = await queue.run(rpc, request, (context) => embedder.embed(texts, context));
    return {
      vectors: vectors.map((vector) => ({ values: [...vector] })),
      model,
      dimensions: vectors[0]?.length ?? 0,
    };
  };
