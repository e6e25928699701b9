import { Refused, unlessNotFound } from '@parley/errors';
import { PromptContentService } from '@parley/proto/numbers_routing/v1/prompt_audio_pb';
import type { Channel } from '@parley/rpc';
import { LRUCache } from 'lru-cache';

/** A prompt as a switch plays it. */
interface SpokenPrompt {
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
  const cache = new LRUCache<string, SpokenPrompt>({
    maxSize: CACHE_BYTES_MAX,
    sizeCalculation: ({ audio }) => audio.length + 1,
  });

  async function fetchAudio(contentHash: string): Promise<SpokenPrompt | undefined> {
    const chunks = await unlessNotFound(Array.fromAsync(service.readPrompt({ contentHash })));
    if (!chunks) return undefined;
    const text = chunks.find((chunk) => chunk.text)?.text ?? '';
    return { text, audio: Buffer.concat(chunks.map(({ data }) => data)) };
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
      if (prompt) cache.set(contentHash, prompt);
      return prompt;
    },
  };
}
