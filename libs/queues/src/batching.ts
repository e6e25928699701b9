import type { BatchOptions } from './batch.ts';

type Batching = Readonly<
  Record<string, Pick<BatchOptions<never>, 'max' | 'waitMs' | 'frequentMs' | 'spacingMs' | 'runMaxMs'>>
>;

/**
 * What is delayed so that it shares a command with others, and why it may be. A command costs more than its content; only frequent items
 * wait (see `batch`), so that a single request is never slower. `runMaxMs`: a command without an answer delays no others for longer.
 */
export const batching = {
  /** Part of every request: as long as a command takes. */
  reads: { max: 100, waitMs: 5, runMaxMs: 100 },
  writes: { max: 100, waitMs: 5, runMaxMs: 250 },
  /** A hundred dashboards ask for the same list after a change. */
  sharedLists: { max: 1000, waitMs: 5, runMaxMs: 250 },
  /** An event of the switch is stored within 50 ms, with the write itself. */
  callWrites: { waitMs: 15 },
  /** From forty calls a second of one company on; all that is written for them is written together then. */
  callAdmissions: { waitMs: 20, frequentMs: 25 },
  /** Callers hear ringing meanwhile; one request without an answer is not waited for by the next call. */
  routes: { runMaxMs: 500 },
  /** Polls that are in no hurry always wait: those of one database that begin at the same time are one command. */
  polls: { waitMs: 20, frequentMs: Infinity },
  /** Followers renew their leases at the same times. */
  assignments: { waitMs: 1, frequentMs: Infinity },
  /** Followers do not wait for the log, nor requests for a document whose published events are removed. */
  eventLog: { waitMs: 50 },
  publishedEntries: { waitMs: 20 },
  /** The next events of the same aggregates wait for their positions; after those that may be replayed they do not. */
  positions: { max: 500, waitMs: 10 },
  replayablePositions: { max: 500, waitMs: 250, frequentMs: Infinity },
  /** Events that a follower applies; they are frequent when four of them share a wait. */
  events: { max: 500, waitMs: 10, frequentMs: 2.5 },
  /** Those that arrive sooner after the last ones share every step until their requests; a first attempt may be made so much later. */
  deliveredEvents: { max: 500, waitMs: 10, frequentMs: 2.5, spacingMs: 5 },
  /** Only lists wait for copies of contacts and for the inbox's items. */
  listedEvents: { max: 500, waitMs: 100, frequentMs: 25 },
  /** Totals are made every two seconds while there are events. */
  countedEvents: { max: 500, waitMs: 500, frequentMs: 125 },
  changedTotals: { waitMs: 50 },
  /** Nobody waits until a text can be found. */
  searchEntries: { waitMs: 100 },
  /** A first attempt waits for others that are stored at a moderate rate already. */
  deliveries: { waitMs: 2, frequentMs: 15 },
  /** They are stored before their deliveries; what has its place in the log later is read later. */
  eventContents: { waitMs: 2, frequentMs: 15 },
  loggedEvents: { waitMs: 5, frequentMs: 15 },
  /** Ten results cost twice as much each as a hundred, and nothing waits for them but the next delivery of a lane. */
  deliveryResults: { waitMs: 50 },
  urgentDeliveryResults: { waitMs: 2 },
  lanes: { waitMs: 5 },
} as const satisfies Batching;
