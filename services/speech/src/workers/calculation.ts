import type { JobContext } from './serve-jobs.ts';

/** A plain function that is calculated outside the event loop. */
export type Calculation<Function extends (input: never) => unknown> = (
  input: Parameters<Function>[0],
  context: JobContext,
) => Promise<ReturnType<Function>>;
