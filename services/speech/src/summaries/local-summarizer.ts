import type { Logger } from '@parley/telemetry';
import type { Calculator } from '../calculations/calculator.ts';
import type { Embedder } from '../embeddings/embedder.ts';
import type { Summarizer } from './summarizer.ts';

export interface LocalSummarizerOptions {
  readonly embedder: Embedder;
  readonly calculate: Calculator;
  readonly log: Pick<Logger, 'warn'>;
}

/** Chooses the sentences that tell most. It invents nothing: every word of a summary was said. */
export function localSummarizer({ embedder, calculate, log }: LocalSummarizerOptions): Summarizer {
  async function vectorsOf(sentences: readonly string[], language: string, signal: AbortSignal) {
    if (!embedder.understands(language)) return undefined;
    try {
      return (await embedder.embed(sentences, signal)).vectors;
    } catch (error) {
      if (signal.aborted) throw error;
      log.warn({ err: error }, 'no embeddings for a summary; words are compared instead');
      return undefined;
    }
  }

  return {
    async summarize({ passages, language, sentencesMax }, signal) {
      const sentences = await calculate('sentencesOf', { passages, language }, signal);
      if (sentences.length <= sentencesMax) return { text: sentences.join(' '), engine: 'whole' };
      const vectors = await vectorsOf(sentences, language, signal);
      const places = await calculate('keySentences', { sentences, vectors, language, count: sentencesMax }, signal);
      return {
        text: places.map((place) => sentences[place]).join(' '),
        engine: vectors ? 'lexrank-embeddings' : 'lexrank-tf-idf',
      };
    },
  };
}
