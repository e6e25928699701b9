import type { Clock } from '@parley/clock';
import type { Assignments } from '../assignments/assignment-store.ts';
import type { BusinessNumbers } from '../numbers/business-number-store.ts';
import type { ViewDeps } from '../numbers/number-view.ts';

/** What the RPCs of routing work with. */
export interface RoutingDeps extends ViewDeps {
  readonly numbers: BusinessNumbers;
  readonly assignments: Assignments;
  readonly clock: Clock;
}
