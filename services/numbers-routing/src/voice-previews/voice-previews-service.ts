import type { VoicePreviewDeps } from './voice-preview-deps.ts';
import { VoicePreviewService } from '@parley/proto/numbers_routing/v1/prompt_audio_pb';
import { employees, type RpcServer } from '@parley/rpc';
import { createVoicePreviewRpc } from './rpc-create-voice-preview.ts';

/** Every RPC of the contract and the file of its handler. */
export function addVoicePreviewService(server: RpcServer, deps: VoicePreviewDeps): void {
  server.add(VoicePreviewService, employees.withRole('admin'), { createVoicePreview: createVoicePreviewRpc(deps) });
}
