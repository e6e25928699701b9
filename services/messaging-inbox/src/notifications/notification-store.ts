import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '@parley/clock';
import { decided } from '@parley/errors';
import { type Aggregates, type Documents, openAggregates, openDocuments, type Relay } from '@parley/aggregates';
import { cache } from '@parley/queues';
import type { Db } from 'mongodb';
import type { PushSubscriptions } from '../push-subscriptions/push-subscription-store.ts';
import type { ServiceContext } from '../service-context.ts';
import type { InboxParts } from '../start-inbox.ts';
import { type NotificationKind, type NotificationSettings, notificationWays } from './notification-settings.ts';
import type { MailCommand, ThreadMail } from './thread-mail.ts';
import type { PushCommand, ThreadPush } from './thread-push.ts';

export interface SettingsStore extends Documents<NotificationSettings> {
  /** The employees of a company who want to be notified of something, in any way. */
  withEnabled(companyId: string, kinds: readonly NotificationKind[]): Promise<NotificationSettings[]>;
  /** Those of the given companies of which somebody wanted anything, as it was `ANY_MS` ago at most. */
  companiesWithAny(companyIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** Resolves when no process uses an answer from before this call any more. */
  seenByAll(): Promise<void>;
}

/** What plans and sends notifications. */
export interface NotificationDeps
  extends
    Pick<ServiceContext, 'clock' | 'directory' | 'erased' | 'numbers' | 'telemetry'>,
    Pick<InboxParts, 'contacts' | 'handlings' | 'spoken'> {
  readonly settings: SettingsStore;
  readonly mails: ThreadMails;
  readonly pushes: ThreadPushes;
  readonly subscriptions: PushSubscriptions;
}

export type ThreadMails = Aggregates<ThreadMail, never, MailCommand, 'mail'>;
export type ThreadPushes = Aggregates<ThreadPush, never, PushCommand, 'end'>;

/** In most companies nobody wants notifications, and all of them have many texts. */
const ANY_MS = 200;
const COMPANIES = 10_000;

/** More employees than a company has. */
const EMPLOYEES_MAX = 10_000;

export async function openNotificationSettings(db: Db): Promise<SettingsStore> {
  const settings = await openDocuments<NotificationSettings>({
    db,
    collection: 'notification_settings',
    indexes: [{ name: 'company_enabled', key: { companyId: 1, enabled: 1 } }],
  });
  const recent = cache<boolean>({ ageMaxMs: ANY_MS, max: COMPANIES });
  const hasAny = (companyId: string) =>
    recent.get(companyId, async () => (await settings.of(companyId).findOne({})) !== undefined);
  return {
    ...settings,
    seenByAll: () => sleep(ANY_MS),
    async withEnabled(companyId, kinds) {
      const anyOf = kinds.flatMap((kind) => notificationWays.map((way) => `${kind}/${way}` as const));
      const filter = { enabled: { $in: anyOf } };
      return settings.of(companyId).findFields(['companyId', 'enabled'], filter, {}, EMPLOYEES_MAX, 'company_enabled');
    },
    async companiesWithAny(companyIds) {
      const found = await Promise.all(
        companyIds.map(async (companyId) => ((await hasAny(companyId)) ? [companyId] : [])),
      );
      return new Set(found.flat());
    },
  };
}

export function openThreadMails(options: { db: Db; relay: Relay; clock: Clock }): Promise<ThreadMails> {
  return openAggregates<ThreadMail, never, MailCommand, 'mail'>({
    ...options,
    collection: 'thread_mails',
    indexes: [{ name: 'company_phone', key: { companyId: 1, phone: 1 } }],
    encode: (event: never) => event,
  });
}

export function openThreadPushes(options: { db: Db; relay: Relay; clock: Clock }): Promise<ThreadPushes> {
  return openAggregates<ThreadPush, never, PushCommand, 'end'>({
    ...options,
    collection: 'thread_pushes',
    indexes: [{ name: 'company_phone', key: { companyId: 1, phone: 1 } }],
    encode: (event: never) => event,
  });
}

/** Removes planned notifications about a person who is erased. At most `limit`; resolves with the number of removed ones. */
export async function removePlanned(
  planned: ThreadMails | ThreadPushes,
  { companyId, phone }: Pick<ThreadMail, 'companyId' | 'phone'>,
  limit: number,
): Promise<number> {
  const own = planned.of(companyId);
  const found = await own.findFields(['id'], { phone }, { phone: 1 }, limit);
  for (const { id } of found) await own.changeIfExists(id, () => decided(null));
  return found.length;
}
