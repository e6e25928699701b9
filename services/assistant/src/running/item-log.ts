import type { NumberedItem } from '../sessions/item-store.ts';
import type { SessionItem } from '../sessions/session-item.ts';

/** An item that may change until it is over. */
export interface LoggedItem<Item extends SessionItem> {
  readonly sequence: number;
  readonly current: Item;
  /** Stores it again with other fields. */
  change(fields: Partial<Item>): void;
}

/** The items of one running session: they are numbered here, and stored in their order. */
export class ItemLog {
  #count: number;
  readonly #save: (item: NumberedItem) => Promise<void>;
  readonly #onFailure: (error: unknown) => void;
  /** The last state of items that are not stored yet, by sequence. */
  readonly #waiting = new Map<number, SessionItem>();
  #saving: Promise<void> | undefined;

  /** `count`: the items that an earlier process has stored. */
  constructor(count: number, save: (item: NumberedItem) => Promise<void>, onFailure: (error: unknown) => void) {
    this.#count = count;
    this.#save = save;
    this.#onFailure = onFailure;
  }

  get count(): number {
    return this.#count;
  }

  add<Item extends SessionItem>(item: Item): LoggedItem<Item> {
    const logged = this.reopen(++this.#count, item);
    this.#write(logged.sequence, item);
    return logged;
  }

  /** An item that was stored before. */
  reopen<Item extends SessionItem>(sequence: number, item: Item): LoggedItem<Item> {
    let current = item;
    const write = (next: SessionItem) => this.#write(sequence, next);
    return {
      sequence,
      get current() {
        return current;
      },
      change(fields) {
        current = { ...current, ...fields };
        write(current);
      },
    };
  }

  /** All items are stored, or could not be. */
  async flush(): Promise<void> {
    while (this.#saving) await this.#saving;
  }

  #write(sequence: number, item: SessionItem): void {
    this.#waiting.set(sequence, item);
    this.#saving ??= this.#saveWaiting();
  }

  async #saveWaiting(): Promise<void> {
    for (let next = first(this.#waiting); next; next = first(this.#waiting)) {
      const [sequence, item] = next;
      this.#waiting.delete(sequence);
      try {
        await this.#save({ sequence, item });
      } catch (error) {
        this.#onFailure(error);
      }
    }
    // At once: an item that is added from now on is stored by the next run.
    this.#saving = undefined;
  }
}

function first(items: ReadonlyMap<number, SessionItem>): readonly [number, SessionItem] | undefined {
  const sequence = Math.min(...items.keys());
  const item = items.get(sequence);
  return item && [sequence, item];
}
