import type { BackgroundWork } from '@parley/clock';
import type { Logger } from '@parley/telemetry';
import type { Event } from '../event/envelope.ts';
import type { BatchHandler, FollowerOptions } from '../follower/follower-options.ts';
import type { EventPage } from '../reading/event-pages.ts';
import type { QueuedEvent } from './aggregate-queue.ts';
import type { DeadLetters } from './dead-letters.ts';
import type { Positions } from './positions-store.ts';

type OfFollower = Pick<FollowerOptions, 'relevant' | 'relevantNouns' | 'toleratesReplay' | 'withoutPositions'> &
  Required<Pick<FollowerOptions, 'triesMax' | 'retryDelayMs' | 'gapWaitMs' | 'batching'>>;

export interface EventApplierOptions extends OfFollower {
  readonly follower: string;
  readonly positions: Positions;
  readonly deadLetters: Pick<DeadLetters, 'add'>;
  readonly backgroundWork: BackgroundWork;
  readonly log: Logger;
  readonly apply: (events: readonly Event[]) => Promise<void>;
  /** The events that are applied by one call; when it fails, each of them is applied alone. */
  readonly batchPer: BatchHandler['batchPer'] | 'event';
  /** Called before the position is saved. */
  readonly onApplied: (event: Pick<QueuedEvent, 'receivedAtMs'>) => void;
  /** Creation time of the stream of a service. */
  readonly streamCreated: (service: string) => string;
  readonly readEventPages: (of: {
    service: string;
    noun: string;
    partition: number;
    from: number;
  }) => AsyncIterable<EventPage>;
}
