import { type RpcServer, services } from '@parley/rpc';
import { SpeechService } from '@parley/proto/speech/v1/speech_pb';
import type { Embedder } from './embeddings/embedder.ts';
import { embedRpc } from './embeddings/rpc-embed.ts';
import type { Conductor } from './requests/conductor.ts';
import { summarizeRpc } from './summaries/rpc-summarize.ts';
import type { Summarizer } from './summaries/summarizer.ts';
import { synthesizeRpc } from './synthesis/rpc-synthesize.ts';
import type { Synthesizer } from './synthesis/synthesizer.ts';
import { transcribeRpc } from './transcription/rpc-transcribe.ts';
import type { Transcriber } from './transcription/transcriber.ts';

/** An engine for each thing that can be asked, and what is around its requests. */
export interface SpeechDeps {
  readonly synthesizer: Synthesizer;
  readonly transcriber: Transcriber;
  readonly summarizer: Summarizer;
  readonly embedder: Embedder;
  readonly conductors: Readonly<Record<'synthesis' | 'transcription' | 'summary' | 'embedding', Conductor>>;
}

/** Who has something to be spoken or heard. */
const callers = services('numbers-routing', 'call-control', 'sandbox');

/** Every RPC of the contract and the file that answers it. */
export function addSpeechService(server: RpcServer, deps: SpeechDeps): void {
  server.add(SpeechService, callers, {
    synthesize: synthesizeRpc(deps),
    transcribe: transcribeRpc(deps),
    summarize: summarizeRpc(deps),
    embed: embedRpc(deps),
  });
}
