export class Latencies {
  readonly #times: number[];

  constructor(times: readonly number[] = []) {
    this.#times = [...times];
  }

  async measure<T>(work: () => Promise<T>): Promise<T> {
    const started = performance.now();
    const result = await work();
    this.#times.push(performance.now() - started);
    return result;
  }

  /** Below which the given share of them lies, in milliseconds. */
  at(share: number): number {
    const times = this.#times.toSorted((one, other) => one - other);
    return times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
  }

  toString(): string {
    return `p50 ${this.at(0.5).toFixed(0)} ms, p99 ${this.at(0.99).toFixed(0)} ms`;
  }
}
