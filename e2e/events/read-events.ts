import { waitUntil } from '@parley/testkit/wait-until';
import { type Company, succeeded } from '../support/api.ts';

/** An event as the log shows it. */
export interface LoggedEvent {
  readonly id: string;
  readonly event: string;
  readonly timestamp: string;
  readonly data: Record<string, any>;
}

export interface EventPage {
  readonly events: readonly LoggedEvent[];
  readonly next_cursor: string;
  readonly has_more: boolean;
  readonly recorded_since: string;
}

/** One page of a company's log. */
export async function readPage(company: Company, query: Record<string, string> = {}): Promise<EventPage> {
  return (await succeeded(company.call('GET', `/events?${new URLSearchParams(query)}`))).body;
}

/** All events behind a cursor, or from the oldest on, page by page. */
export async function readEvents(company: Company, query: Record<string, string> = {}): Promise<LoggedEvent[]> {
  const events: LoggedEvent[] = [];
  let page = await readPage(company, query);
  for (events.push(...page.events); page.has_more; events.push(...page.events))
    page = await readPage(company, { ...query, after: page.next_cursor });
  return events;
}

/** Begins to record a company's events; the cursor of now. */
export async function beginRecording(company: Company): Promise<string> {
  return (await readPage(company)).next_cursor;
}

/** Waits until so many events are there. */
export const whenRecorded = (
  company: Company,
  query: Record<string, string>,
  howMany: number,
): Promise<LoggedEvent[]> =>
  waitUntil(
    async () => {
      const events = await readEvents(company, query);
      return events.length >= howMany && events;
    },
    { what: `${howMany} events` },
  );
