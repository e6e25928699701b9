/**
 * Many may hold it at once, or one alone: the clock and the faults are those of all companies. Who waits to be alone is served before those who
 * come later.
 */
export class Lock {
  #holders = 0;
  readonly #waiting: { alone: boolean; enter: () => void }[] = [];

  async hold<Value>(alone: boolean, work: () => Promise<Value>): Promise<Value> {
    await this.#enter(alone);
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  #enter(alone: boolean): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push({ alone, enter: resolve });
      this.#admit();
    });
  }

  #leave(): void {
    // One holder that is alone counts as -1.
    this.#holders += this.#holders < 0 ? 1 : -1;
    this.#admit();
  }

  #admit(): void {
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      if (next.alone ? this.#holders !== 0 : this.#holders < 0) return;
      this.#waiting.shift();
      this.#holders += next.alone ? -1 : 1;
      next.enter();
    }
  }
}
