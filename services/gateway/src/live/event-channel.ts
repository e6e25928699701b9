import type { ListEventsResponse } from '@parley/proto/webhooks/v1/event_log_pb';
import { cache, keyedQueue } from '@parley/queues';
import type { Clients } from '../peers/peers.ts';
import type { WriteEvents } from '../routes/events/event-json.ts';
import { type EventClient, type EventsWanted, streamEvents } from './event-stream.ts';

/** Per company and gateway process. */
const COMPANY_STREAMS_MAX = 20;
/** An announcement that was lost delays events by this much, ... */
const POLL_MS = 5000;
/** ... and without a connection to the broker by this much. */
const POLL_DISCONNECTED_MS = 1000;
/** Reads that are shared at a time. */
const READS_MAX = 10_000;
/** A read that takes longer does not delay the company's next one. */
const READ_MS = 1000;

interface Company {
  readonly streams: Set<AbortController>;
  /** The number of the last announcement; no two of all companies have the same. */
  announced: number;
  announcedAt: number;
  /** Those that wait for the next announcement. */
  readonly waiting: Set<() => void>;
}

export type EventChannel = ReturnType<typeof eventChannel>;

/** `EventsChannel`: the log of a company, page by page. An announcement only says when to read. */
export function eventChannel(options: {
  eventLog: Clients['eventLog'];
  write: WriteEvents;
  isConnected: () => boolean;
  onFailure: (error: unknown) => void;
}) {
  const { eventLog, write, isConnected, onFailure } = options;
  const companies = new Map<string, Company>();
  const reads = cache<ListEventsResponse>({ ageMaxMs: 0, max: READS_MAX });
  const queue = keyedQueue(READ_MS);
  let announcements = 0;
  /** While there are streams. */
  let polling: NodeJS.Timeout | undefined;

  function announce(company: Company): void {
    announcements += 1;
    company.announced = announcements;
    company.announcedAt = performance.now();
    for (const proceed of company.waiting) proceed();
  }

  function poll(): void {
    const pollMs = isConnected() ? POLL_MS : 0;
    for (const company of companies.values()) if (performance.now() - company.announcedAt >= pollMs) announce(company);
  }

  function changed(company: Company, since: number, signal: AbortSignal): Promise<void> {
    if (company.announced !== since || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const proceed = () => {
        company.waiting.delete(proceed);
        signal.removeEventListener('abort', proceed);
        resolve();
      };
      company.waiting.add(proceed);
      signal.addEventListener('abort', proceed);
    });
  }

  return {
    /** Begins to send events; returns how to stop. Undefined while the company has as many of these as it may have. */
    open(client: EventClient, wanted: EventsWanted): (() => void) | undefined {
      const { companyId } = client;
      const company = companies.get(companyId) ?? {
        streams: new Set(),
        announced: (announcements += 1),
        announcedAt: performance.now(),
        waiting: new Set(),
      };
      if (company.streams.size >= COMPANY_STREAMS_MAX) return undefined;
      const stream = new AbortController();
      company.streams.add(stream);
      companies.set(companyId, company);
      polling ??= setInterval(poll, POLL_DISCONNECTED_MS);
      streamEvents(
        client,
        wanted,
        {
          // One read of a company at a time, shared by the clients that are at the same place.
          read: (reader, page) =>
            reads.get(JSON.stringify([companyId, company.announced, page]), () =>
              queue.run(companyId, () => eventLog.listEvents({ ...page, types: [...page.types] }, { as: reader })),
            ),
          write,
          announced: () => company.announced,
          changed: (since, signal) => changed(company, since, signal),
          onFailure,
        },
        stream.signal,
      ).catch(onFailure);
      return () => {
        stream.abort();
        company.streams.delete(stream);
        if (company.streams.size > 0) return;
        companies.delete(companyId);
        if (companies.size > 0) return;
        clearInterval(polling);
        polling = undefined;
      };
    },
    /** There may be more to read. */
    announce(companyId: string): void {
      const company = companies.get(companyId);
      if (company) announce(company);
    },
    /** Announcements may have been lost. */
    announceAll(): void {
      for (const company of companies.values()) announce(company);
    },
  };
}
