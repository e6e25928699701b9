/** A higher number is served first. */
export const PRIORITY = { background: 1, interactive: 2, call: 3 } as const;

export type JobPriority = (typeof PRIORITY)[keyof typeof PRIORITY];

/** The company and priority of a job, and the signal that cancels it. */
export interface JobContext {
  readonly signal: AbortSignal;
  /** Empty for the installation itself. */
  readonly companyId: string;
  readonly priority: JobPriority;
}
