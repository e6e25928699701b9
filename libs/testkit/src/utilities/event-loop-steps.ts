/** The steps of this thread's event loop. */
export interface EventLoopSteps {
  /** The longest one since the last call, in milliseconds. */
  takeLongestMs(): number;
  stop(): void;
}

/**
 * Measures what this thread does between two turns of its event loop, while everybody else waits. It is the processor's time, so that a
 * busy machine does not make steps longer.
 */
export function measureSteps(): EventLoopSteps {
  let [longestMs, lastMs] = [0, threadMs()];
  function look(): void {
    const nowMs = threadMs();
    longestMs = Math.max(longestMs, nowMs - lastMs);
    lastMs = nowMs;
  }
  const timer = setInterval(look, 1).unref();
  return {
    takeLongestMs() {
      look();
      const longest = longestMs;
      longestMs = 0;
      return longest;
    },
    stop: () => clearInterval(timer),
  };
}

/** The longest step of some work. */
export async function longestStepMs(work: () => Promise<unknown>): Promise<number> {
  const steps = measureSteps();
  try {
    await work();
    return steps.takeLongestMs();
  } finally {
    steps.stop();
  }
}

function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
