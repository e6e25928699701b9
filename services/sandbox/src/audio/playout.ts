import { clampSample } from '@parley/audio';

/** Limits the memory of one source that plays slower than it arrives. */
const WAITING_MAX_SECS = 60;

/** The audio that waits to be played to a phone: sources are mixed, and each plays in its order. */
export class Playout {
  readonly isLive = true;
  readonly #sampleRate: number;
  readonly #sources = new Map<string, Source>();

  constructor(sampleRate: number) {
    this.#sampleRate = sampleRate;
  }

  /** Adds to a source; what does not fit into `limitMs` of waiting audio is dropped. */
  add(source: string, samples: Int16Array, limitMs = WAITING_MAX_SECS * 1000): void {
    const known = this.#sources.get(source) ?? { chunks: [], length: 0 };
    const room = Math.max(0, (limitMs / 1000) * this.#sampleRate - known.length);
    const fitting = samples.subarray(0, room);
    if (fitting.length === 0) return;
    this.#sources.set(source, known);
    known.chunks.push(fitting);
    known.length += fitting.length;
  }

  /** Repeats the sound until the source is stopped. */
  loop(source: string, samples: Int16Array): void {
    if (samples.length > 0) this.#sources.set(source, { chunks: [samples], length: samples.length, repeated: samples });
  }

  /** True while something of the source waits. */
  has(source: string): boolean {
    return this.#sources.has(source);
  }

  stop(source: string): void {
    this.#sources.delete(source);
  }

  /** The next samples, silence where nothing waits. */
  take(length: number): Int16Array {
    const mixed = new Int16Array(length);
    for (const [name, source] of this.#sources) {
      takeInto(mixed, source);
      if (source.length === 0) this.#sources.delete(name);
    }
    return mixed;
  }
}

interface Source {
  readonly chunks: Int16Array[];
  length: number;
  readonly repeated?: Int16Array;
}

function takeInto(mixed: Int16Array, source: Source): void {
  let filled = 0;
  while (filled < mixed.length) {
    if (source.length === 0 && source.repeated) {
      source.chunks.push(source.repeated);
      source.length = source.repeated.length;
    }
    const first = source.chunks[0];
    if (!first) return;
    const part = first.subarray(0, mixed.length - filled);
    for (const sample of part) {
      mixed[filled] = clampSample(mixed[filled]! + sample);
      filled += 1;
    }
    source.length -= part.length;
    if (part.length === first.length) source.chunks.shift();
    else source.chunks[0] = first.subarray(part.length);
  }
}
