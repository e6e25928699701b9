import type { Engines } from './engines.ts';
import type { RequestQueue } from './requests/request-queue.ts';
import { type RpcServer, services } from '@parley/rpc';
import { SpeechService } from '@parley/proto/speech/v1/speech_pb';
import { embedRpc } from './embeddings/rpc-embed.ts';
import { summarizeRpc } from './summaries/rpc-summarize.ts';
import { synthesizeRpc } from './synthesis/rpc-synthesize.ts';
import { transcribeRpc } from './transcription/rpc-transcribe.ts';

const callers = services('numbers-routing', 'call-control', 'sandbox');

/** A queue for each kind of request. */
export type RequestQueues = Readonly<Record<'synthesis' | 'transcription' | 'summary' | 'embedding', RequestQueue>>;

/** Every RPC of the contract and the file of its handler. */
export function addSpeechService(server: RpcServer, engines: Engines, queues: RequestQueues): void {
  server.add(SpeechService, callers, {
    synthesize: synthesizeRpc(engines.synthesizer, queues.synthesis),
    transcribe: transcribeRpc(engines.transcriber, queues.transcription),
    summarize: summarizeRpc(engines.summarizer, queues.summary),
    embed: embedRpc(engines.embedder, queues.embedding),
  });
}
