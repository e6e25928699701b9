import { type SpeechService, Priority } from '@parley/proto/speech/v1/speech_pb';
import type { RpcClient } from '@parley/rpc';
import { LRUCache } from 'lru-cache';
import type { SentenceAudio } from './turn-playback.ts';

/** The voice of a session. */
export interface Voice {
  readonly companyId: string;
  readonly language: string;
  /** Empty for the voice of the language. */
  readonly voice: string;
}

/** Audio that was made when texts were saved; undefined where there is none yet. */
export type KnownAudio = (voice: Voice, text: string) => Promise<Int16Array | undefined>;

export interface SpokenTexts {
  /** The audio of a session's sentences. */
  of(voice: Voice): SentenceAudio;
  /** Texts of the company: their audio is stored. Nothing that a caller said may be among them. */
  allow(texts: readonly string[]): void;
  /** Has the audio of texts of the company or the product ready that are likely to be said soon. */
  prepare(voice: Voice, texts: readonly string[]): Promise<void>;
}

const CACHE_BYTES = 64 * 1024 * 1024;
/** More than the companies with calls at a time have. */
const TEXTS_MAX = 20_000;
/** A whole sentence on a busy machine. */
const SYNTHESIS_MS_MAX = 15_000;

/** Sentences as audio: as it was made when they were saved, or synthesized piece by piece. */
export function spokenTexts(options: {
  readonly speech: Pick<RpcClient<typeof SpeechService>, 'synthesizeStream'>;
  readonly known: KnownAudio;
}): SpokenTexts {
  const { speech, known } = options;
  const cache = new LRUCache<string, Int16Array>({
    maxSize: CACHE_BYTES,
    sizeCalculation: ({ length }) => length * 2 + 1,
  });
  /** Texts whose audio may be stored. */
  const allowed = new LRUCache<string, true>({ max: TEXTS_MAX });
  const preparing = new Set<string>();
  /** Equal texts of several companies share their audio. */
  const keyOf = ({ language, voice }: Voice, text: string) => JSON.stringify([language, voice, text]);

  async function* synthesized(voice: Voice, text: string, priority: Priority, signal?: AbortSignal) {
    const isKept = allowed.has(text);
    const request = { text, language: voice.language, voice: voice.voice, companyId: voice.companyId, priority };
    const parts: Int16Array[] = [];
    let isOwnVoice = true;
    for await (const { audio, standsIn } of speech.synthesizeStream(request, {
      timeoutMs: SYNTHESIS_MS_MAX,
      ...(signal && { signal }),
    })) {
      const samples = samplesOf(audio);
      if (isKept) parts.push(samples);
      isOwnVoice &&= !standsIn;
      yield samples;
    }
    if (isKept && isOwnVoice) cache.set(keyOf(voice, text), joined(parts));
  }

  async function whole(voice: Voice, text: string): Promise<Int16Array | undefined> {
    const key = keyOf(voice, text);
    const cached = cache.get(key);
    if (cached) return cached;
    const stored = await known(voice, text);
    if (stored) cache.set(key, stored);
    return stored;
  }

  const allow = (texts: readonly string[]) => texts.forEach((text) => allowed.set(text, true));

  return {
    of: (voice) =>
      async function* ({ text, key }, signal, firstPieceMsMax) {
        if (key !== null) allowed.set(text, true);
        const complete = allowed.has(text) ? await whole(voice, text) : undefined;
        if (complete) yield complete;
        else yield* soon((limited) => synthesized(voice, text, Priority.CALL, limited), signal, firstPieceMsMax);
      },
    allow,
    async prepare(voice, texts) {
      allow(texts);
      for (const text of texts) {
        const key = keyOf(voice, text);
        // Sessions of one company begin with the same sentences.
        if (preparing.has(key) || (await whole(voice, text))) continue;
        preparing.add(key);
        try {
          for await (const _part of synthesized(voice, text, Priority.BACKGROUND));
        } finally {
          preparing.delete(key);
        }
      }
    },
  };
}

/** PCM, 16 bit, little endian. */
function samplesOf(audio: Uint8Array): Int16Array {
  const bytes = Buffer.from(audio.buffer, audio.byteOffset, audio.byteLength);
  return Int16Array.from({ length: bytes.length >> 1 }, (_, at) => bytes.readInt16LE(at * 2));
}

function joined(parts: readonly Int16Array[]): Int16Array {
  const all = new Int16Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** What fails before anything was heard of it is tried once more: the process of the voices may have ended. */
async function* soon(
  make: (signal: AbortSignal) => AsyncIterable<Int16Array>,
  signal: AbortSignal,
  firstPieceMsMax: number,
): AsyncIterable<Int16Array> {
  const late = new AbortController();
  const limit = setTimeout(() => late.abort(new Error('no voice in time')), firstPieceMsMax);
  const limited = AbortSignal.any([signal, late.signal]);
  let hasBegun = false;
  async function* parts(): AsyncIterable<Int16Array> {
    for await (const part of make(limited)) {
      hasBegun = true;
      clearTimeout(limit);
      yield part;
    }
  }
  try {
    yield* parts();
  } catch (error) {
    if (hasBegun || limited.aborted) throw error;
    yield* parts();
  } finally {
    clearTimeout(limit);
  }
}
