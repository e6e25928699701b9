/** Passes on that something happened to a key: at once, and at most once per interval. What happens in between is passed on at its end. */
export function throttleByKey(
  intervalMs: number,
  pass: (key: string) => void,
  afterMs: (work: () => void, ms: number) => void = setTimeout,
) {
  /** Keys within an interval, and whether something has happened in it. */
  const resting = new Map<string, boolean>();
  let isStopped = false;

  function passOn(key: string): void {
    pass(key);
    resting.set(key, false);
    afterMs(() => {
      const isDue = resting.get(key);
      resting.delete(key);
      if (isDue && !isStopped) passOn(key);
    }, intervalMs);
  }

  return {
    add(key: string): void {
      if (resting.has(key)) resting.set(key, true);
      else passOn(key);
    },
    stop: () => (isStopped = true),
  };
}
