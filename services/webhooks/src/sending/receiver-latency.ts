/** The response time of a receiver; it is kept while nothing is sent to it. */
export interface LatencyEstimate {
  /** The average time of a request. */
  readonly answerMs: number;
  /** The same without the time in which this process was too busy to read the answer. */
  readonly receiverMs: number;
  readonly slow: boolean;
}

/** A receiver that takes this long gets few requests at once; until it is quick again. */
export const SLOW_MS = 2_000;
const QUICK_MS = 1_000;

const ANSWER_MS_MIN = 1;
/** The largest part of a request's time that is this process's own. */
const OWN_MS_MAX = 50;
/** The weight of the latest request in the averages. */
const WEIGHT = 0.1;

/** The estimate for a receiver without any attempt yet. */
export const assumedLatency: LatencyEstimate = { answerMs: 50, receiverMs: 50, slow: false };

/** The latency after one more request; `idleMs` is how much of its time this process had nothing to do. */
export function latencyAfter(latency: LatencyEstimate, tookMs: number, idleMs: number): LatencyEstimate {
  const ownMs = Math.min(tookMs - idleMs, OWN_MS_MAX);
  return {
    answerMs: average(latency.answerMs, tookMs),
    receiverMs: average(latency.receiverMs, tookMs - ownMs),
    slow: tookMs >= SLOW_MS || (latency.slow && tookMs >= QUICK_MS),
  };
}

function average(beforeMs: number, latestMs: number): number {
  return beforeMs + (Math.max(latestMs, ANSWER_MS_MIN) - beforeMs) * WEIGHT;
}
