import { notFound, Refused } from '@parley/errors';
import { PhraseAudioService } from '@parley/proto/numbers_routing/v1/phrase_audio_pb';
import { cache } from '@parley/queues';
import type { Channel } from '@parley/rpc';
import type { KnownAudio, Voice } from './sentence-audio.ts';

/** A caller waits: sentences without audio are synthesized at once. */
const TIMEOUT_MS = 500;
const HEADER_BYTES = 44;
const SAMPLE_RATE = 8000;

/** More than the assistants with calls in an hour. */
const PREPARED_MAX = 1000;
/** Less than the day for which audio is kept that nobody has named since. */
const PREPARED_MS = 3_600_000;

/** Audio that numbers-routing makes of what assistants say, and keeps. */
export interface PhraseAudio {
  readonly known: KnownAudio;
  /** Has audio made of the texts that are likely in sessions of an assistant, in this order. Nothing of a caller may be among them. */
  prepareLikely(voice: Voice, assistantId: string, texts: readonly string[]): Promise<void>;
}

/** The owner of the texts that are likely in sessions of an assistant. */
export const likelyPhrases = (assistantId: string): string => `assistant:${assistantId}:likely`;

export function phraseAudio(numbersRouting: Channel): PhraseAudio {
  const phrases = numbersRouting.client(PhraseAudioService);
  const prepared = cache<void>({ ageMaxMs: PREPARED_MS, max: PREPARED_MAX });

  async function file({ companyId, language, voice }: Voice, text: string): Promise<Buffer | undefined> {
    const chunks: Uint8Array[] = [];
    try {
      const request = { companyId, language, voice, text };
      for await (const { data } of phrases.getPhraseAudio(request, { timeoutMs: TIMEOUT_MS })) chunks.push(data);
    } catch (error) {
      if (error instanceof Refused && error.refusal.code === notFound.code) return undefined;
      throw error;
    }
    return Buffer.concat(chunks);
  }

  return {
    async known(voice, text) {
      // Without the stored audio the sentence is synthesized.
      const wav = await file(voice, text).catch(() => undefined);
      return wav && wav.length > HEADER_BYTES ? telephoneAudio(wav) : undefined;
    },
    prepareLikely(voice, assistantId, texts) {
      const request = { ...voice, owner: likelyPhrases(assistantId), texts: [...texts] };
      // Sessions of one assistant begin with the same texts.
      return prepared.get(JSON.stringify(request), async () => void (await phrases.preparePhrases(request)));
    },
  };
}

/** 16 bit, one channel, at a multiple of the rate of telephones: neighbouring samples are averaged. */
function telephoneAudio(wav: Buffer): Int16Array {
  const step = Math.max(1, Math.round(wav.readUInt32LE(24) / SAMPLE_RATE));
  const count = Math.floor((wav.length - HEADER_BYTES) / 2 / step);
  return Int16Array.from({ length: count }, (_, at) => {
    let sum = 0;
    for (let offset = 0; offset < step; offset += 1) sum += wav.readInt16LE(HEADER_BYTES + 2 * (at * step + offset));
    return Math.round(sum / step);
  });
}
