import type { Embedder } from './embeddings/embedder.ts';
import type { RequestQueue } from './requests/request-queue.ts';
import type { Summarizer } from './summaries/summarizer.ts';
import type { Synthesizer } from './synthesis/synthesizer.ts';
import type { Transcriber } from './transcription/transcriber.ts';

/** An engine for each thing that can be asked, and what is around its requests. */
export interface SpeechDeps {
  readonly synthesizer: Synthesizer;
  readonly transcriber: Transcriber;
  readonly summarizer: Summarizer;
  readonly embedder: Embedder;
  readonly conductors: Readonly<Record<'synthesis' | 'transcription' | 'summary' | 'embedding', RequestQueue>>;
}
