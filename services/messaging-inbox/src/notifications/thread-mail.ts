import { type Decision, decided, type Due, dueIn } from '@parley/errors';
import type { NotificationKind } from './notification-settings.ts';

/** An item of a thread that an employee is notified of by e-mail. */
export interface MailedItem {
  readonly kind: NotificationKind;
  /** The id of the call, voicemail, text or comment; for an assignment, the id of its event. */
  readonly itemId: string;
  /** When it happened. */
  readonly at: Date;
  /** Absent for assignments and comments. */
  readonly businessNumberId?: string;
  /** Present for `assigned`: the employee who assigned the thread or wrote the comment. */
  readonly coworker?: { readonly name: string; readonly hasCommented: boolean };
  /** A voicemail without its transcript is waited for until then. */
  readonly waitsUntil?: Date;
}

interface MailBundle {
  /** Oldest first. */
  readonly items: readonly MailedItem[];
  /** The number of items that were left out because there were too many. */
  readonly omitted: number;
}

/** The e-mails about one thread to one employee; removed when there was none for a day. */
export interface ThreadMail {
  readonly id: string;
  readonly companyId: string;
  readonly employeeId: string;
  /** The external number of the thread. */
  readonly phone: string;
  /** The items of the next e-mail. */
  readonly pending: MailBundle;
  /** The items of the e-mail that is being sent. */
  readonly sending: MailBundle | null;
  /** When the last e-mail was sent. */
  readonly mailedAt: Date | null;
  /** The newest that were sent or wait: an event may be applied again. */
  readonly known: readonly string[];
}

/** Sends an e-mail about what is in `sending`; repeated until the mail server has accepted it. */
export interface MailCommand {
  readonly kind: 'mail';
}

export type ThreadMailDecision<State = ThreadMail> = Decision<State, never, MailCommand, 'mail'>;

/** At most one e-mail about a thread in this time; what happens meanwhile is in the next one. */
const PAUSE_MS = 10 * 60_000;
const TRANSCRIPT_WAIT_MS = 2 * 60_000;
const PENDING_MAX = 20;
const KNOWN_MAX = 100;
/** Older items are not mailed, so nothing has to be remembered for longer. */
export const MAILED_AGE_MAX_MS = 24 * 3_600_000;

const NOTHING: MailBundle = { items: [], omitted: 0 };

export function newThreadMail(of: Pick<ThreadMail, 'id' | 'companyId' | 'employeeId' | 'phone'>): ThreadMail {
  return { ...of, pending: NOTHING, sending: null, mailedAt: null, known: [] };
}

/** Plans an e-mail about an item; an item that is known changes nothing. */
export function planMail(
  current: ThreadMail,
  item: Omit<MailedItem, 'waitsUntil'>,
  now: Date,
  waitsForTranscript = false,
): ThreadMailDecision {
  const key = `${item.kind}/${item.itemId}`;
  if (current.known.includes(key)) return decided(current);
  const waitsUntil = waitsForTranscript ? new Date(now.getTime() + TRANSCRIPT_WAIT_MS) : undefined;
  const all = [...current.pending.items, { ...item, ...(waitsUntil && { waitsUntil }) }];
  const items = all.slice(-PENDING_MAX);
  const pending = { items, omitted: current.pending.omitted + all.length - items.length };
  return planned({ ...current, pending, known: [...current.known, key].slice(-KNOWN_MAX) }, now);
}

/** The transcription of a voicemail has arrived: the mail need not wait for it any longer. */
export function transcribed(current: ThreadMail, voicemailId: string, now: Date): ThreadMailDecision {
  const isWaiting = ({ itemId, waitsUntil }: MailedItem) => itemId === voicemailId && waitsUntil !== undefined;
  if (!current.pending.items.some(isWaiting)) return decided(current);
  const items = current.pending.items.map((item) => (isWaiting(item) ? withoutWait(item) : item));
  return planned({ ...current, pending: { ...current.pending, items } }, now);
}

/** The timer: one e-mail about everything that waits, or the end. */
export function onMailTimer(current: ThreadMail, now: Date): ThreadMailDecision<ThreadMail | null> {
  const { pending, sending } = current;
  if (sending) return decided(current);
  if (pending.items.length === 0) return decided(null);
  // An item that came while the timer fired may have to wait.
  if (dueOf(current, now).waitMs > 0) return planned(current, now);
  return decided<ThreadMail, never, MailCommand, 'mail'>({ ...current, pending: NOTHING, sending: pending }, [], {
    commands: [{ kind: 'mail' }],
  });
}

/** The e-mail was sent, or nobody wants it any more. */
export function mailSent(current: ThreadMail, now: Date): ThreadMailDecision {
  return planned({ ...current, sending: null, mailedAt: now }, now);
}

/** While one is being sent, its end plans the next one. */
function planned(next: ThreadMail, now: Date): ThreadMailDecision {
  const timers = next.sending ? {} : { mail: dueOf(next, now) };
  return decided<ThreadMail, never, MailCommand, 'mail'>(next, [], { timers });
}

/** Sends once all are ready and the pause after the last e-mail has passed. */
function dueOf({ pending: { items }, mailedAt }: ThreadMail, now: Date): Due {
  if (items.length === 0) return dueIn(now, MAILED_AGE_MAX_MS);
  const pauseEnds = mailedAt ? mailedAt.getTime() + PAUSE_MS : 0;
  const ready = items.map(({ waitsUntil }) => waitsUntil?.getTime() ?? 0);
  // A clock that was moved back must not make anybody wait longer than intended.
  return dueIn(now, Math.min(PAUSE_MS, Math.max(0, Math.max(pauseEnds, ...ready) - now.getTime())));
}

function withoutWait({ waitsUntil: _, ...item }: MailedItem): MailedItem {
  return item;
}
