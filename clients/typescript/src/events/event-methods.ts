import type { EventType } from '../generated/events.ts';
import type { PagePromise } from '../pages.ts';
import type { RequestOptions } from '../transport/transport.ts';
import type { RecordedEvent } from '../generated/types.ts';
import type { FollowedEvent, FollowOptions } from './follow.ts';

export interface EventQuery {
  /** A cursor of an earlier page or event. */
  readonly after?: string | undefined;
  /** Instead of a cursor: events that were recorded at this time or later. */
  readonly from?: string | Date | undefined;
  /** Types such as `call.ended`, or `call.*`; all without it. */
  readonly types?: readonly EventType[] | undefined;
  /** Of a page: 1 to 100, 50 without it. */
  readonly limit?: number | undefined;
}

/** Methods that no operation describes, or whose input is more comfortable than the query of the operation. */
export interface TypedEventMethods {
  /** The events that are kept, oldest first. The loop ends with the last one; `nextCursor` is there, too, to go on later. */
  list(query?: EventQuery, options?: RequestOptions): PagePromise<RecordedEvent>;
  /** Every event after a cursor, each once, and then those that happen; without a cursor from now on. */
  follow(options?: FollowOptions): AsyncGenerator<FollowedEvent, void, undefined>;
}
