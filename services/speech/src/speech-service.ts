import type { SpeechDeps } from './speech-deps.ts';
import { type RpcServer, services } from '@parley/rpc';
import { SpeechService } from '@parley/proto/speech/v1/speech_pb';
import { embedRpc } from './embeddings/rpc-embed.ts';
import { summarizeRpc } from './summaries/rpc-summarize.ts';
import { synthesizeRpc } from './synthesis/rpc-synthesize.ts';
import { transcribeRpc } from './transcription/rpc-transcribe.ts';

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
