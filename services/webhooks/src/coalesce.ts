interface Asked<Item, Answer> {
  readonly item: Item;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/**
 * Gathers what is asked for while an earlier call is under way into the next call. Alone, a question is asked at
 * once; under load a hundred of them cost one round trip to the database. `ask` answers in the order of its items.
 */
export function coalesce<Item, Answer>(
  ask: (items: readonly Item[]) => Promise<readonly Answer[]>,
  itemsMax = 200,
): (item: Item) => Promise<Answer> {
  const waiting: Asked<Item, Answer>[] = [];
  let asking = false;

  async function askAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, itemsMax);
      try {
        const answers = await ask(batch.map(({ item }) => item));
        batch.forEach(({ resolve }, index) => resolve(answers[index] as Answer));
      } catch (error) {
        batch.forEach(({ reject }) => reject(error));
      }
    }
    asking = false;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (asking) return;
      asking = true;
      // What is asked for in the same breath goes along.
      queueMicrotask(() => void askAll());
    });
}
