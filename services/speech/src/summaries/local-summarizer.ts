import type { Logger } from '@parley/telemetry';
import type { Embedder } from '../embeddings/embedder.ts';
import type { Calculation } from '../workers/calculation.ts';
import type { JobContext } from '../workers/serve-jobs.ts';
import type { keySentences, sentencesOf } from './key-sentences.ts';
import type { Summarizer } from './summarizer.ts';

export interface LocalSummarizerOptions {
  readonly embedder: Embedder;
  readonly sentencesOf: Calculation<typeof sentencesOf>;
  readonly keySentences: Calculation<typeof keySentences>;
  readonly log: Pick<Logger, 'warn'>;
}

/** Extractive summaries: selects the most central sentences. */
export function localSummarizer(options: LocalSummarizerOptions): Summarizer {
  const { embedder, log } = options;

  async function vectorsOf(sentences: readonly string[], language: string, context: JobContext) {
    if (!embedder.understands(language)) return undefined;
    try {
      return (await embedder.embed(sentences, context)).vectors;
    } catch (error) {
      if (context.signal.aborted) throw error;
      log.warn({ err: error }, 'no embeddings for a summary; comparing words instead');
      return undefined;
    }
  }

  return {
    async summarize({ passages, language, sentencesMax }, context) {
      const sentences = await options.sentencesOf({ passages, language }, context);
      if (sentences.length <= sentencesMax) return { text: sentences.join(' '), engine: 'whole' };
      const vectors = await vectorsOf(sentences, language, context);
      const chosen = await options.keySentences({ sentences, vectors, language, count: sentencesMax }, context);
      return {
        text: chosen.map((index) => sentences[index]).join(' '),
        engine: vectors ? 'lexrank-embeddings' : 'lexrank-tf-idf',
      };
    },
  };
}
