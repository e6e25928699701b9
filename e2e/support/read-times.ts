/** Milliseconds. */
export interface ReadTimes {
  readonly median: number;
  readonly p95: number;
}

/** Whatever else the machine does delays some reads; what a flood does delays those of every round. */
const ROUNDS = 5;

/** Measures reads one after the other while each of `senders` is repeated. */
export async function readTimesBeside(
  senders: readonly ((turn: number) => Promise<void>)[],
  read: () => Promise<void>,
  count: number,
): Promise<ReadTimes> {
  let isRunning = true;
  const sending = senders.map(async (send, sender) => {
    for (let turn = sender; isRunning; turn++) await send(turn);
  });
  const times: number[] = [];
  try {
    for (let index = 0; index < count; index++) {
      const before = performance.now();
      await read();
      times.push(performance.now() - before);
    }
  } finally {
    isRunning = false;
    await Promise.all(sending);
  }
  times.sort((a, b) => a - b);
  return { median: times[Math.floor(count / 2)]!, p95: times[Math.floor(count * 0.95)]! };
}

/**
 * Fails when a flood delays others more than `times` as much as the same number of harmless requests, measured in turn on
 * the same machine: that is how fast it is at the moment.
 */
export async function expectNoSlower(
  measure: { readonly harmless: () => Promise<ReadTimes>; readonly flood: () => Promise<ReadTimes> },
  times: number,
): Promise<void> {
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) {
    const harmless = await measure.harmless();
    const flood = await measure.flood();
    if (flood.median <= harmless.median * times && flood.p95 <= harmless.p95 * times) return;
    rounds.push({ harmless, flood });
  }
  throw new Error(`reads are delayed in every round: ${JSON.stringify(rounds)}`);
}
