import type { Clock } from '@parley/clock';
import { notFound, Refused } from '@parley/errors';
import { PromptAudioService, type SignedAudio } from '@parley/proto/numbers_routing/v1/prompt_audio_pb';
import { type RpcServer, services } from '@parley/rpc';
import type { ReadyAudio } from './prompt-audio.ts';
import type { PromptAudios } from './prompt-audio-store.ts';
import type { AudioSigner } from './signed-audio.ts';

export interface PromptAudioDeps {
  readonly audios: PromptAudios;
  readonly signer: AudioSigner;
  readonly clock: Clock;
}

/** Both RPCs of the contract. A wrong signature is refused like audio that does not exist. */
export function addPromptAudioRpcs(server: RpcServer, { audios, signer, clock }: PromptAudioDeps): void {
  async function find(signed: SignedAudio | undefined): Promise<ReadyAudio> {
    const { hash = '', expires = 0n, signature = '' } = signed ?? {};
    const audio = signer.verify({ hash, expires: Number(expires), signature }, clock.now())
      ? await audios.get(hash)
      : undefined;
    if (!audio) throw new Refused(notFound);
    return audio;
  }
  server.add(PromptAudioService, services('gateway'), {
    async statPromptAudio({ audio }) {
      const { contentType, sizeBytes, fileId } = await find(audio);
      return { contentType, sizeBytes: BigInt(sizeBytes), etag: fileId };
    },
    async *readPromptAudio({ audio, start, end }, { signal }) {
      const { fileId, sizeBytes } = await find(audio);
      for await (const data of audios.files.read(fileId, Number(start), Math.min(Number(end), sizeBytes))) {
        if (signal.aborted) return;
        yield { data };
      }
    },
  });
}
