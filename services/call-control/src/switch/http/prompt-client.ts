import { notFound, Refused } from '@parley/errors';
import { PromptContentService } from '@parley/proto/numbers_routing/v1/prompt_audio_pb';
import type { Channel } from '@parley/rpc';

/** A prompt as a switch plays it. */
export interface SpokenPrompt {
  readonly text: string;
  /** WAV. */
  readonly audio: Buffer;
}

/** Audio of prompts by content hash. */
export interface PromptAudio {
  /** Undefined for a hash that nothing belongs to, and for audio that is not generated in time. */
  read(contentHash: string): Promise<SpokenPrompt | undefined>;
  /** Has it generated; its length in milliseconds, or null when there is none in time. */
  prepare(contentHash: string, waitMs: number): Promise<number | null>;
}

/** Shorter than the switch waits for a download. */
const GENERATION_WAIT_MS = 3000;
const ANSWER_GRACE_MS = 3000;
const CACHE_BYTES_MAX = 64 * 1024 * 1024;

/** Reads prompts from numbers-routing with a cache: the content of a hash never changes. */
export function promptClient(channel: Channel): PromptAudio {
  const service = channel.client(PromptContentService);
  const cache = new Map<string, SpokenPrompt>();
  let cachedBytes = 0;

  function keep(hash: string, prompt: SpokenPrompt): void {
    cache.set(hash, prompt);
    cachedBytes += prompt.audio.length;
    for (const [oldest, { audio }] of cache) {
      if (cachedBytes <= CACHE_BYTES_MAX) break;
      cache.delete(oldest);
      cachedBytes -= audio.length;
    }
  }

  async function fetchAudio(contentHash: string): Promise<SpokenPrompt | undefined> {
    const chunks: Uint8Array[] = [];
    let spokenText = '';
    try {
      for await (const { data, text } of service.readPrompt({ contentHash })) {
        chunks.push(data);
        spokenText ||= text;
      }
    } catch (error) {
      if (error instanceof Refused && error.refusal.code === notFound.code) return undefined;
      throw error;
    }
    return { text: spokenText, audio: Buffer.concat(chunks) };
  }

  async function prepare(contentHash: string, waitMs: number): Promise<number | null> {
    try {
      const asked = { contentHashes: [contentHash], waitMs };
      const { prompts } = await service.ensurePromptAudio(asked, { timeoutMs: waitMs + ANSWER_GRACE_MS });
      return prompts[0]?.durationMs ?? null;
    } catch (error) {
      if (error instanceof Refused) return null;
      throw error;
    }
  }

  async function generate(contentHash: string): Promise<SpokenPrompt | undefined> {
    const durationMs = await prepare(contentHash, GENERATION_WAIT_MS);
    return durationMs === null ? undefined : fetchAudio(contentHash);
  }

  return {
    prepare,
    async read(contentHash) {
      const cached = cache.get(contentHash);
      if (cached) return cached;
      const prompt = (await fetchAudio(contentHash)) ?? (await generate(contentHash));
      if (prompt) keep(contentHash, prompt);
      return prompt;
    },
  };
}
