import { type Due, dueIn } from '@parley/errors';
import { mailRetryMs } from '../mail/mailer.ts';

/** Something about the company's calls, what its assistants cost, or what stopped with an employee, that somebody has to know. */
export interface Alert {
  readonly subject: string;
  readonly text: string;
}

/** An e-mail that notifies an employee of a change of the account, in case it was not made by them, or of an alert. */
export interface AccountNotification {
  readonly about: 'password' | 'address' | 'unconfirmed_address' | 'calls';
  /** Present in alerts, all of which are `calls`. */
  readonly alert?: Alert;
  /** The employee's address at the time of the change: a new address may belong to an attacker. */
  readonly to: string;
  readonly at: Date;
  readonly tries: number;
  readonly next: Date;
}

/** A document with notifications. `due` is when the first of them is sent. */
export interface WithNotifications {
  readonly notifications: readonly AccountNotification[];
  readonly due: Due | null;
}

/** It is not sent after this time. */
const LIFETIME_MS = 7 * 24 * 3600 * 1000;
const NOTIFICATIONS_MAX = 10;

/** Schedules a notification in the write that causes it. Does not affect another notification that is being sent. */
export function planNotification<State extends WithNotifications>(
  current: State,
  planned: Pick<AccountNotification, 'about' | 'to' | 'alert'>,
  now: Date,
): State {
  const notifications = bounded([...current.notifications, { ...planned, at: now, tries: 0, next: now }]);
  return { ...current, notifications, due: dueOf(notifications, now) };
}

export function hasAlert({ notifications }: WithNotifications, { subject }: Alert, at: Date): boolean {
  return notifications.some((one) => one.alert?.subject === subject && one.at.getTime() === at.getTime());
}

/** Notifications of the account replace alerts, newer ones replace older ones. */
function bounded(notifications: readonly AccountNotification[]): readonly AccountNotification[] {
  if (notifications.length <= NOTIFICATIONS_MAX) return notifications;
  const firstAlert = notifications.findIndex(({ about }) => about === 'calls');
  return notifications.toSpliced(Math.max(0, firstAlert), 1);
}

/** The one to be sent first. */
export function nextNotification({
  notifications,
}: Pick<WithNotifications, 'notifications'>): AccountNotification | undefined {
  return notifications.toSorted((one, other) => one.next.getTime() - other.next.getTime())[0];
}

/** The notification was sent. */
export function endNotification<State extends WithNotifications>(
  current: State,
  notification: AccountNotification,
  now: Date,
): State {
  return withNotifications(current, others(current, notification), now);
}

/** The notification could not be sent: it is tried again for as long as it is of use, and the others do not wait for it. */
export function postponeNotification<State extends WithNotifications>(
  current: State,
  notification: AccountNotification,
  now: Date,
): State {
  const left = others(current, notification);
  const wasThere = left.length < (current.notifications?.length ?? 0);
  if (!wasThere || now.getTime() - notification.at.getTime() >= LIFETIME_MS)
    return withNotifications(current, left, now);
  const next = new Date(now.getTime() + mailRetryMs(notification.tries));
  return withNotifications(current, [...left, { ...notification, tries: notification.tries + 1, next }], now);
}

/** The same notifications, due when the first of them is to be sent. */
export function rescheduleNotifications<State extends WithNotifications>(current: State, now: Date): State {
  return withNotifications(current, current.notifications, now);
}

function others(
  { notifications }: WithNotifications,
  { about, to, at, alert }: AccountNotification,
): AccountNotification[] {
  const isSame = (one: AccountNotification) =>
    one.about === about && one.to === to && one.at.getTime() === at.getTime() && one.alert?.subject === alert?.subject;
  return notifications.filter((one) => !isSame(one));
}

function withNotifications<State extends WithNotifications>(
  current: State,
  notifications: readonly AccountNotification[],
  now: Date,
): State {
  return { ...current, notifications, due: dueOf(notifications, now) };
}

function dueOf(notifications: readonly AccountNotification[], now: Date): Due | null {
  const first = nextNotification({ notifications });
  return first ? dueIn(now, Math.max(0, first.next.getTime() - now.getTime())) : null;
}
