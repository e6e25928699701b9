import type { Clock } from '@parley/clock';
import type { Assignments } from '../assignments/assignment-store.ts';
import type { BusinessNumbers } from './business-number-store.ts';
import type { ViewDeps } from './number-view.ts';

/** What the RPCs of numbers work with. */
export interface NumberDeps extends ViewDeps {
  readonly numbers: BusinessNumbers;
  readonly assignments: Assignments;
  readonly clock: Clock;
  /** Orders creations. */
  readonly tick: () => number;
}
