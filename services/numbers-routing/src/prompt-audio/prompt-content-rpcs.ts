import { withTimeout } from '@parley/clock';
import { invalid, notFound, Refused } from '@parley/errors';
import { PromptContentService } from '@parley/proto/numbers_routing/v1/prompt_audio_pb';
import { type RpcServer, services } from '@parley/rpc';
import type { Logger } from '@parley/telemetry';
import { type SynthesisDeps, synthesizeNow } from './synthesize-now.ts';

export interface PromptContentDeps extends SynthesisDeps {
  readonly log: Logger;
}

const HASHES_MAX = 20;
const WAIT_MS_USUAL = 10_000;
const WAIT_MS_MAX = 30_000;

/** Prompts for calls, by content hash. */
export function addPromptContentRpcs(server: RpcServer, deps: PromptContentDeps): void {
  const { audios, log } = deps;
  server.add(PromptContentService, services('call-control'), {
    async ensurePromptAudio({ contentHashes, waitMs }) {
      const hashes = [...new Set(contentHashes)];
      if (hashes.length === 0 || hashes.length > HASHES_MAX)
        throw new Refused(invalid({ content_hashes: [`must have 1 to ${HASHES_MAX} items`] }));
      const known = await audios.prompts(hashes);
      if (known.size < hashes.length) throw new Refused(notFound);
      // One that fails does not keep the others from being played; a later call tries it again.
      const attempts = hashes.map(async (hash) => {
        const prompt = known.get(hash);
        if (prompt && !(await audios.get(hash))) await synthesizeNow(deps, prompt.companyId, prompt);
      });
      const settled = Promise.allSettled(attempts).then((results) => {
        for (const result of results)
          if (result.status === 'rejected') log.warn({ err: result.reason }, 'no audio for a prompt of a call');
      });
      await withTimeout(Math.min(waitMs > 0 ? waitMs : WAIT_MS_USUAL, WAIT_MS_MAX), settled);
      const ready = await Promise.all(hashes.map((hash) => audios.get(hash)));
      return {
        prompts: ready
          .filter((audio) => audio !== undefined)
          .map(({ key, durationMs, sizeBytes }) => ({ contentHash: key, durationMs, sizeBytes: BigInt(sizeBytes) })),
      };
    },
    async *readPrompt({ contentHash }, { signal }) {
      const [audio, prompts] = await Promise.all([audios.get(contentHash), audios.prompts([contentHash])]);
      if (!audio) throw new Refused(notFound);
      const { fileId, sizeBytes } = audio;
      let text = prompts.get(contentHash)?.text ?? '';
      for await (const data of audios.files.read(fileId, 0, sizeBytes)) {
        if (signal.aborted) return;
        yield { sizeBytes: BigInt(sizeBytes), data, text };
        text = '';
      }
    },
  });
}
