import type { Check } from '../checks/check.ts';
import type { MutationResult } from '../mutations/run-mutations.ts';
import type { CheckResult } from '../runner/result.ts';
import type { Profile } from '../target.ts';

/** What a run has found. */
export interface Report {
  readonly baseUrl: string;
  readonly profile: Profile;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly results: readonly CheckResult[];
  /** With `--mutations`. */
  readonly mutations?: readonly MutationResult[];
  /** What could not be deleted at the end. */
  readonly problems: readonly string[];
  readonly isInterrupted: boolean;
}

/** A form in which reports are written. */
export interface Reporter {
  /** Called during the run. */
  readonly onResult?: (result: CheckResult) => string | undefined;
  readonly onMutation?: (result: MutationResult) => string | undefined;
  readonly report: (report: Report) => string;
  readonly list: (checks: readonly Check[]) => string;
}
