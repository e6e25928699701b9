import { z } from 'zod';

const TIMEOUTS_SECS = [15, 30, 60, 300, 600, 1200, 1800, 2700, 3600] as const;

export const noAnswerTimeoutError = `must be one of ${TIMEOUTS_SECS.join(', ')}, or 0 for off`;

/** The no-answer timer as clients send it. */
export const noAnswerTimeoutBody = z
  .union([z.literal([0, ...TIMEOUTS_SECS]), z.string().max(100).regex(/^\s*$/), z.null()], {
    error: noAnswerTimeoutError,
  })
  .describe('0, null or blank disables the timer; if omitted, it is not changed');

/** Undefined leaves the timer as it is; a message without a value turns it off. */
export function noAnswerTimerMessage(timeoutSecs: z.output<typeof noAnswerTimeoutBody> | undefined) {
  if (timeoutSecs === undefined) return undefined;
  return typeof timeoutSecs === 'number' && timeoutSecs > 0 ? { timeoutSecs } : {};
}
