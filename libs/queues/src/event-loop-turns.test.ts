import { expect, it } from '@jest/globals';
import { nextTurnIfDue } from './event-loop-turns.ts';

/** Milliseconds of the processor: a busy machine does not matter. */
function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

function calculate(ms: number): void {
  const until = threadMs() + ms;
  while (threadMs() < until);
}

it('calculations take turns, and each turn serves others after a few milliseconds', async () => {
  const order: string[] = [];
  let isRunning = true;
  const turnsMs: number[] = [];
  let lastMs = threadMs();
  function onTurn(): void {
    turnsMs.push(threadMs() - lastMs);
    lastMs = threadMs();
    if (isRunning) setImmediate(onTurn);
  }
  onTurn();
  await Promise.all(
    ['a', 'b', 'c'].map(async (name) => {
      for (let step = 0; step < 100; step++) {
        const turn = nextTurnIfDue();
        if (turn) {
          await turn;
          order.push(name);
        }
        calculate(1);
      }
    }),
  );
  isRunning = false;
  // All three in one turn would take three times as long. The median: the compiler and the collection of garbage lengthen single turns.
  const medianMs = turnsMs.toSorted((one, other) => one - other)[Math.floor(turnsMs.length / 2)];
  expect(medianMs).toBeLessThan(10);
  expect(order.slice(0, 9).join('')).toMatch(/^(abc){3}$/);
});
