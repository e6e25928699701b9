import { setTimeout as sleep } from 'node:timers/promises';
import { hasRole } from '@parley/actor';
import { Refused } from '@parley/errors';
import type { ListEventsResponse } from '@parley/proto/webhooks/v1/event_log_pb';
import { nextTurnIfDue } from '@parley/queues';
import type { EmployeePrincipal } from '@parley/rpc';
import type { WriteEvents } from '../routes/events/event-json.ts';

/** What a client has subscribed to. */
export interface EventsWanted {
  /** Continues behind this cursor; absent: from now on. */
  readonly after?: string | undefined;
  /** Empty: all. */
  readonly types: readonly string[];
}

/** The subscription of a connection, as its stream sees it. */
export interface EventClient {
  readonly companyId: string;
  /** The reader as verified now; undefined when the credential has ended, and the connection with it. */
  verify(): Promise<EmployeePrincipal | undefined>;
  /** Sends a message of the channel, unless too much waits to be read. */
  offer(content: string): boolean;
  /** Once everything that was offered is on its way; false when the client takes too long to read it. */
  drained(): Promise<boolean>;
  confirm(): void;
  /** Ends the subscription. */
  reject(): void;
  /** Ends the connection of a client that is too slow; it goes on at its last cursor. */
  disconnect(): void;
}

/** How to read the log of a company. */
export interface EventSource {
  /** A page, or with `onlyPosition` only the cursor behind the newest event. */
  read(
    reader: EmployeePrincipal,
    wanted: { after?: string; types: readonly string[]; limit: number; onlyPosition?: boolean },
  ): Promise<ListEventsResponse>;
  readonly write: WriteEvents;
  /** Changes whenever there may be more to read. */
  announced(): number;
  /** Resolves once `announced` is no longer what it was, or after the signal. */
  changed(since: number, signal: AbortSignal): Promise<void>;
  onFailure(error: unknown): void;
}

const LIMIT_MAX = 100;

/** Messages of the channel; `content` of an event is JSON already. */
const eventMessage = (cursor: string, content: string) =>
  `{"type":"event","cursor":${JSON.stringify(cursor)},"event":${content}}`;
const caughtUp = (cursor: string) => JSON.stringify({ type: 'caught_up', cursor });
const cursorExpired = (oldestCursor: string) => JSON.stringify({ type: 'cursor_expired', oldest_cursor: oldestCursor });

/** After a failed read, doubled each time. */
const RETRY_MS = 250;
const RETRY_MS_MAX = 4000;

const pause = (ms: number) => sleep(ms, undefined, { ref: false });

/**
 * Sends a client the events of its company, in the order of the log, until the signal. Only a cursor is kept between two pages: what a
 * client has no room for is read again once it has.
 */
export async function streamEvents(
  client: EventClient,
  wanted: EventsWanted,
  source: EventSource,
  signal: AbortSignal,
): Promise<void> {
  const { types } = wanted;
  let { after } = wanted;
  let isConfirmed = false;
  let isCaughtUp = false;
  let limit = LIMIT_MAX;
  let failures = 0;

  async function sendPage(reader: EmployeePrincipal): Promise<'more' | 'all' | 'ended'> {
    const wantedPage = after === undefined ? { types, limit, onlyPosition: true } : { after, types, limit };
    const page = await source.read(reader, wantedPage);
    if (signal.aborted) return 'ended';
    if (page.oldestCursor !== undefined) {
      client.offer(cursorExpired(page.oldestCursor));
      client.reject();
      return 'ended';
    }
    const contents = await source.write(reader, page.events);
    if (signal.aborted) return 'ended';
    if (!isConfirmed) client.confirm();
    isConfirmed = true;
    for (const [index, { cursor }] of page.events.entries()) {
      if (signal.aborted) return 'ended';
      if (!client.offer(eventMessage(cursor, contents[index]!))) {
        limit = Math.max(1, index);
        return 'more';
      }
      after = cursor;
      const turn = nextTurnIfDue();
      if (turn) await turn;
    }
    limit = Math.min(LIMIT_MAX, limit * 2);
    after = page.nextCursor;
    if (!page.hasMore && !isCaughtUp) isCaughtUp = client.offer(caughtUp(after));
    return page.hasMore || !isCaughtUp ? 'more' : 'all';
  }

  while (!signal.aborted) {
    if (!(await client.drained())) return client.disconnect();
    if (signal.aborted) return;
    const startedMs = performance.now();
    const announced = source.announced();
    try {
      const reader = await client.verify();
      if (!reader || signal.aborted) return;
      if (!hasRole(reader.role, 'admin')) return client.reject();
      const sent = await sendPage(reader);
      if (sent === 'ended') return;
      failures = 0;
      // As long as the page took, so that a company that reads its past leaves the others half of the time.
      if (sent === 'more') await pause(performance.now() - startedMs);
      else await source.changed(announced, signal);
    } catch (error) {
      if (error instanceof Refused) return client.reject();
      source.onFailure(error);
      await pause(Math.min(RETRY_MS * 2 ** failures++, RETRY_MS_MAX));
    }
  }
}
