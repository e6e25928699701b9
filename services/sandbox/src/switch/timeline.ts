import type { MovableClock } from '@parley/clock';

/** Something that happens later unless it is cancelled. */
export interface Timer {
  cancel(): void;
}

interface Pending {
  due: number;
  fire: () => void;
  timeout: NodeJS.Timeout | undefined;
}

/**
 * The time of the telephone network: real time, multiplied by `speed`, plus the offset of the test clock.
 * A move of the clock fires nothing by itself: `fireDue` does, when the services have moved as well.
 */
export class Timeline {
  readonly #clock: Pick<MovableClock, 'offsetMs'>;
  readonly #speed: number;
  readonly #pending = new Set<Pending>();
  #seenOffsetMs: number;
  #movedMs = 0;

  constructor(clock: Pick<MovableClock, 'offsetMs'>, speed = 1) {
    this.#clock = clock;
    this.#speed = speed;
    this.#seenOffsetMs = clock.offsetMs();
  }

  /** Milliseconds on this timeline; only differences are meaningful. It is monotonic, also when the clock is moved back. */
  now(): number {
    const offsetMs = this.#clock.offsetMs();
    this.#movedMs += Math.max(0, offsetMs - this.#seenOffsetMs);
    this.#seenOffsetMs = offsetMs;
    return performance.now() * this.#speed + this.#movedMs;
  }

  after(ms: number, fire: () => void): Timer {
    const pending: Pending = { due: this.now() + ms, fire, timeout: undefined };
    this.#pending.add(pending);
    this.#arm(pending);
    return { cancel: () => this.#remove(pending) };
  }

  /** The time until the next timer is due; undefined when there is none. */
  nextDueInMs(): number | undefined {
    if (this.#pending.size === 0) return undefined;
    const now = this.now();
    return Math.max(0, Math.min(...Array.from(this.#pending, ({ due }) => due - now)));
  }

  /** After a move of the clock: fires what came due, in order. */
  fireDue(): void {
    const now = this.now();
    const due = [...this.#pending].filter((pending) => pending.due <= now).sort((one, other) => one.due - other.due);
    for (const pending of due) this.#fire(pending);
    for (const pending of this.#pending) this.#arm(pending);
  }

  /** Cancels everything. */
  clear(): void {
    for (const pending of this.#pending) this.#remove(pending);
  }

  #arm(pending: Pending): void {
    clearTimeout(pending.timeout);
    const waitMs = Math.max(0, (pending.due - this.now()) / this.#speed);
    pending.timeout = setTimeout(() => this.#fire(pending), Math.min(waitMs, 2 ** 31 - 1));
  }

  #fire(pending: Pending): void {
    if (!this.#pending.has(pending)) return; // an earlier timer cancelled it
    this.#remove(pending);
    pending.fire();
  }

  #remove(pending: Pending): void {
    clearTimeout(pending.timeout);
    this.#pending.delete(pending);
  }
}
