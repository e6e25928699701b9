type Key = readonly unknown[];

/** Messages about one change arrive together: they are waited for. */
const TOGETHER_MS = 30;

/**
 * Reads data again that has changed, under its query key. What changes while it is being read is read once more afterwards, however many
 * changes there were: starting again with each of them would never end while they come faster than the data.
 */
export function createRefresher(
  read: (key: Key) => Promise<unknown>,
  soon: (flush: () => void) => void = (flush) => setTimeout(flush, TOGETHER_MS),
): (key: Key) => void {
  const due = new Map<string, Key>();
  const reading = new Set<string>();
  const outdated = new Set<string>();

  function start(key: Key): void {
    const name = JSON.stringify(key);
    if (reading.has(name)) {
      outdated.add(name);
      return;
    }
    reading.add(name);
    const ended = () => {
      reading.delete(name);
      if (outdated.delete(name)) start(key);
    };
    read(key).then(ended, ended);
  }

  return (key) => {
    if (due.size === 0)
      soon(() => {
        const keys = [...due.values()];
        due.clear();
        for (const one of keys) if (!keys.some((other) => isPartOf(one, other))) start(one);
      });
    due.set(JSON.stringify(key), key);
  };
}

/** True when a shorter key includes this one. */
function isPartOf(key: Key, other: Key): boolean {
  return other.length < key.length && other.every((part, index) => part === key[index]);
}
