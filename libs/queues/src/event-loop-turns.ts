/** Well below what others notice: a request takes several turns of the event loop in each process it passes. */
const SLICE_MS = 5;

const waiting: (() => void)[] = [];
let sliceStartedAt = 0;

/**
 * For a long calculation, which calls it between its steps and waits for what it returns. Undefined while the process has not
 * calculated for long; otherwise the next turn of the event loop, in which others were served. Calculations take turns: however many
 * there are, one of them continues in each turn, for a few milliseconds.
 */
export function nextTurnIfDue(): Promise<void> | undefined {
  if (performance.now() - sliceStartedAt < SLICE_MS) return undefined;
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(continueOne);
  });
}

function continueOne(): void {
  sliceStartedAt = performance.now();
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(continueOne);
}
