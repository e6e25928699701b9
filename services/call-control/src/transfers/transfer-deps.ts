import type { CallRunner } from '../call-runtime/call-runner.ts';
import type { EmployeeDirectory } from '../employees/directory-client.ts';
import type { Calls } from '../calls/store/call-store.ts';
import type { Presences } from '../presence/presence-store.ts';
import type { Switches } from '../switch/switch-client.ts';

/** What the RPCs of transfers work with. */
export interface TransferDeps {
  readonly calls: Calls;
  readonly runner: CallRunner;
  readonly presences: Pick<Presences, 'of'>;
  readonly switches: Switches;
  readonly directory: Pick<EmployeeDirectory, 'find'>;
  /** How long the switch may take to confirm a start. */
  readonly confirmLimitMs: number;
}
