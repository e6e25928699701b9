import { ConnectionError, type ParleyError, RateLimitError, ServerError } from '../errors.ts';
import type { Page } from '../pages.ts';
import { backoffMs } from '../transport/retry.ts';
import { sleep } from '../transport/waiting.ts';
import { readChannel, type SocketLike } from './channel.ts';
import type { EventType } from '../generated/events.ts';
import type { RecordedEvent } from '../generated/types.ts';

export interface FollowOptions {
  /** The cursor of the last event that was dealt with; without it, from now on. */
  readonly after?: string | undefined;
  /** Instead of a cursor: begin with the first event that was recorded at this time or later. */
  readonly from?: string | Date | undefined;
  /** Types such as `call.ended`, or `call.*`; all without it. */
  readonly types?: readonly EventType[] | undefined;
  /** Ends the loop. */
  readonly signal?: AbortSignal | undefined;
  /** Called with each failure after which it is tried again, such as a lost connection. */
  readonly onRetry?: ((error: ParleyError) => void) | undefined;
}

/** An event, and where to go on after it. */
export interface FollowedEvent {
  readonly event: RecordedEvent;
  /** Store it with what the event has led to: `after` of a later `follow`. */
  readonly cursor: string;
}

/** How `follow` reaches the service. */
export interface EventSource {
  /** Prepares a connection to the live channel; undefined where there can be none. */
  readonly prepareSocket: (() => Promise<() => SocketLike>) | undefined;
  /** Reads the log; what it authenticates with is renewed if necessary, for the next connection, too. */
  readonly list: (
    query: { readonly limit: number; readonly types: FollowOptions['types'] } & (
      | { after: string }
      | { from: string | Date }
    ),
    options: { readonly signal: AbortSignal | undefined },
  ) => PromiseLike<Page<RecordedEvent>>;
}

/** Between two requests to a log that had nothing new. */
const POLL_MS = 2000;
/** How long WebSockets are not tried again when they do not pass. */
const CHANNEL_PAUSE_MS = 30_000;
/** A connection that ends sooner makes the next one wait longer. */
const SHORT_MS = 10_000;
/** A longer `Retry-After` is not waited for. */
const RETRY_AFTER_SECS_MAX = 300;

/**
 * Every event after a cursor, each once, in their order, and then those that happen: by the live channel and, where WebSockets
 * do not pass, by reading the log again and again. A lost connection is no error once the service has been reached.
 */
export async function* follow(
  { after, from, types, signal, onRetry }: FollowOptions,
  source: EventSource,
): AsyncGenerator<FollowedEvent, void, undefined> {
  if (after !== undefined && from !== undefined) throw new TypeError('after and from are alternatives');
  const startedAt = new Date();
  let cursor = after;
  let reached = false;
  /** In a row: connections that broke off, and requests that failed. */
  let failures = 0;
  /** When the channel may be tried again, and how often in a row it ended soon. */
  let channelAt = source.prepareSocket ? -Infinity : Infinity;
  let shortConnections = 0;

  while (!signal?.aborted) {
    // The channel knows no times: a cursor comes from the log first.
    const isPlaced = cursor !== undefined || from === undefined;
    if (source.prepareSocket && isPlaced && performance.now() >= channelAt) {
      const open = await source.prepareSocket();
      const openedAt = performance.now();
      for await (const message of readChannel(open, { after: cursor, types }, signal)) {
        if (message.type === 'end') {
          const now = performance.now();
          shortConnections = now - openedAt < SHORT_MS ? shortConnections + 1 : 0;
          reached ||= message.confirmed;
          channelAt = now + (message.confirmed ? backoffMs(shortConnections) : CHANNEL_PAUSE_MS);
          continue;
        }
        if (signal?.aborted) return;
        failures = 0;
        cursor = message.cursor;
        if (message.type === 'event') yield { event: message.event as RecordedEvent, cursor };
      }
    }
    // Also after a connection that broke off: an error says why, such as a cursor that has expired or a key that was revoked.
    try {
      // One by one, because a page has one cursor: that of its last event.
      const place = cursor === undefined ? { from: from ?? startedAt } : { after: cursor };
      const { data, nextCursor, body } = await source.list({ limit: 1, types, ...place }, { signal });
      const advanced = data.length > 0 || nextCursor !== cursor;
      reached = true;
      failures = 0;
      cursor = nextCursor ?? cursor;
      for (const event of data) yield { event, cursor: cursor! };
      const pauseMs = Math.min(POLL_MS, channelAt - performance.now());
      const { has_more: hasMore } = body as { readonly has_more?: boolean };
      if (!(hasMore && advanced) && pauseMs > 0) await sleep(pauseMs, signal);
    } catch (error) {
      if (signal?.aborted) return;
      if (!reached || !isTemporary(error)) throw error;
      onRetry?.(error);
      const retryAfterSecs = Math.min(error.retryAfterSecs ?? 0, RETRY_AFTER_SECS_MAX);
      // The end of the signal is seen above.
      await sleep(Math.max(backoffMs(failures), retryAfterSecs * 1000), signal).catch(() => undefined);
      failures += 1;
    }
  }
}

function isTemporary(error: unknown): error is ParleyError {
  return error instanceof ConnectionError || error instanceof ServerError || error instanceof RateLimitError;
}
