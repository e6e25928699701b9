/** Who waits for a job. The numbers order them. */
export const PRIORITY = { background: 1, interactive: 2, call: 3 } as const;

export type JobPriority = (typeof PRIORITY)[keyof typeof PRIORITY];

/** Whom a job is done for, and how it ends when nobody waits for it any more. */
export interface JobContext {
  readonly signal: AbortSignal;
  /** Empty for the installation itself. */
  readonly companyId: string;
  readonly priority: JobPriority;
}
