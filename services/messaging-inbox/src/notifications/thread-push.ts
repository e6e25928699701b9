import { type Decision, decided, dueIn } from '@parley/errors';
import { type MailedItem, MAILED_AGE_MAX_MS } from './thread-mail.ts';

/** An item of a thread that an employee is notified of by a push message. */
export type PushedItem = Omit<MailedItem, 'waitsUntil'>;

/** The push messages about one thread to one employee; removed when there was none for a day. */
export interface ThreadPush {
  readonly id: string;
  readonly companyId: string;
  readonly employeeId: string;
  /** The external number of the thread. */
  readonly phone: string;
  /** The newest that were planned: an event may be applied again. The last one replaces the others in a browser. */
  readonly known: readonly string[];
}

/** Sends a message about an item to one browser; repeated until its push service has accepted it. */
export interface PushCommand {
  readonly kind: 'push';
  readonly subscriptionId: string;
  readonly item: PushedItem;
}

export type ThreadPushDecision<State = ThreadPush> = Decision<State, never, PushCommand, 'end'>;

const KNOWN_MAX = 100;

/** Plans messages to an employee's browsers; an item that is known changes nothing. */
export function planPush(
  current: ThreadPush,
  item: PushedItem,
  subscriptionIds: readonly string[],
  now: Date,
): ThreadPushDecision {
  const key = keyOf(item);
  if (current.known.includes(key)) return decided(current);
  const next = { ...current, known: [...current.known, key].slice(-KNOWN_MAX) };
  return decided<ThreadPush, never, PushCommand, 'end'>(next, [], {
    commands: subscriptionIds.map((subscriptionId) => ({ kind: 'push', subscriptionId, item })),
    timers: { end: dueIn(now, MAILED_AGE_MAX_MS) },
  });
}

/** The remaining lifetime of a message about an item; 0 when it is too old, or a newer one replaces it. */
export function usefulMs({ known }: ThreadPush, item: PushedItem, now: Date): number {
  if (known.at(-1) !== keyOf(item)) return 0;
  return Math.max(0, item.at.getTime() + MAILED_AGE_MAX_MS - now.getTime());
}

function keyOf({ kind, itemId }: PushedItem): string {
  return `${kind}/${itemId}`;
}
