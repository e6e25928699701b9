import type { Clock } from '@parley/clock';

/** What is due soon, by id. One timer is set for all of it. */
export function openAlarms<Item extends { readonly id: string }>(clock: Clock, onDue: (item: Item) => void) {
  const upcoming = new Map<string, { readonly item: Item; readonly at: number }>();
  let timer: NodeJS.Timeout | undefined;
  let timerAt = Infinity;

  function setTimer(at: number): void {
    if (at >= timerAt) return;
    clearTimeout(timer);
    timerAt = at;
    timer = setTimeout(onTimer, Math.max(0, at - clock.now().getTime()));
  }

  function onTimer(): void {
    timerAt = Infinity;
    const now = clock.now().getTime();
    const due = [...upcoming.values()].filter(({ at }) => at <= now);
    for (const { item } of due) upcoming.delete(item.id);
    for (const { item } of due) onDue(item);
    setTimer(Math.min(...[...upcoming.values()].map(({ at }) => at)));
  }

  return {
    /** Replaces an earlier alarm of the same item. */
    set(item: Item, at: number): void {
      upcoming.set(item.id, { item, at });
      setTimer(at);
    },
    clear(): void {
      upcoming.clear();
      clearTimeout(timer);
      timerAt = Infinity;
    },
  };
}
