import type { BackgroundWork } from '@parley/clock';
import { Priority, type SpeechService } from '@parley/proto/speech/v1/speech_pb';
import type { RpcClient } from '@parley/rpc';
import type { Telemetry } from '@parley/telemetry';
import { LRUCache } from 'lru-cache';

/** The meanings of texts, as far as they are known. */
export type TextVectors = ReturnType<typeof textVectors>;

/** Some 80 MB at most: 384 coordinates of four bytes each. */
const TEXTS_MAX = 50_000;
/** A few hundred milliseconds of one processor. */
const PORTION = 64;
/** Words of a caller: the answer does not wait any longer for their meaning. */
const WORDS_MS_MAX = 800;
const PORTION_MS_MAX = 30_000;

/**
 * Vectors of texts by the speech service. What the company wrote is embedded in the background, so that a session never waits for it;
 * until then entries are found by their words.
 */
export function textVectors(options: {
  readonly speech: Pick<RpcClient<typeof SpeechService>, 'embed'>;
  readonly backgroundWork: BackgroundWork;
  readonly telemetry: Telemetry;
}) {
  const { speech, backgroundWork, telemetry } = options;
  const known = new LRUCache<string, Float32Array>({ max: TEXTS_MAX });
  /** Texts that are being embedded. */
  const pending = new Set<string>();
  let version = 0;

  async function embedAll(companyId: string, texts: readonly string[]): Promise<void> {
    for (let from = 0; from < texts.length; from += PORTION) {
      const portion = texts.slice(from, from + PORTION);
      const request = { texts: portion, companyId, priority: Priority.INTERACTIVE };
      const { vectors } = await speech.embed(request, { timeoutMs: PORTION_MS_MAX });
      portion.forEach((text, at) => known.set(text, Float32Array.from(vectors[at]?.values ?? [])));
      version += 1;
    }
  }

  return {
    /** Changes when further vectors are known. */
    version: () => version,
    of: (text: string) => known.get(text),
    /** Embeds the texts that have no vector yet. */
    prepare(companyId: string, texts: readonly string[]): void {
      const missing = [...new Set(texts)].filter((text) => !known.has(text) && !pending.has(text));
      if (missing.length === 0) return;
      for (const text of missing) pending.add(text);
      void backgroundWork
        .during(() => embedAll(companyId, missing))
        .catch((error: unknown) => telemetry.log.warn({ err: error }, 'entries not embedded; they are found by words'))
        .finally(() => missing.forEach((text) => pending.delete(text)));
    },
    /** Null when the engine does not answer in time. */
    async ofWords(companyId: string, text: string): Promise<Float32Array | null> {
      const request = { texts: [text], companyId, priority: Priority.CALL };
      const found = await speech.embed(request, { timeoutMs: WORDS_MS_MAX }).catch(() => undefined);
      const vector = found?.vectors[0];
      return vector ? Float32Array.from(vector.values) : null;
    },
  };
}
