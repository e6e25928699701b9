import type { Sound } from './wav.ts';

/** Sound that still grows. */
export class LiveSound implements Sound {
  readonly sampleRate: number;
  #chunks: Int16Array[] = [];

  constructor(sampleRate: number) {
    this.sampleRate = sampleRate;
  }

  add(samples: Int16Array): void {
    this.#chunks.push(samples);
  }

  get samples(): Int16Array {
    if (this.#chunks.length === 1) return this.#chunks[0]!;
    const all = new Int16Array(this.#chunks.reduce((length, chunk) => length + chunk.length, 0));
    let at = 0;
    for (const chunk of this.#chunks) {
      all.set(chunk, at);
      at += chunk.length;
    }
    this.#chunks = [all];
    return all;
  }
}
