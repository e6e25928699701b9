import type { Clock } from '@parley/clock';
import { decided } from '@parley/errors';
import { type Aggregates, type Documents, openAggregates, openDocuments, type Relay } from '@parley/aggregates';
import type { Db } from 'mongodb';
import type { NotificationKind, NotificationSettings } from './notification-settings.ts';
import type { MailCommand, ThreadMail } from './thread-mail.ts';

export interface SettingsStore extends Documents<NotificationSettings> {
  /** The employees of a company who want e-mails about something. */
  wantingMail(companyId: string, kind: NotificationKind): Promise<NotificationSettings[]>;
  /** Those of the given companies of which somebody wants anything. */
  companiesWithAny(companyIds: readonly string[]): Promise<ReadonlySet<string>>;
}

export type ThreadMails = Aggregates<ThreadMail, never, MailCommand, 'mail'>;

/** More employees than a company has. */
const EMPLOYEES_MAX = 10_000;

export async function openNotificationSettings(db: Db): Promise<SettingsStore> {
  const settings = await openDocuments<NotificationSettings>({
    db,
    collection: 'notification_settings',
    indexes: [{ name: 'company_wanted', key: { companyId: 1, wanted: 1 } }],
  });
  return {
    ...settings,
    async wantingMail(companyId, kind) {
      const from = { index: 'company_wanted', limit: EMPLOYEES_MAX };
      return settings.of(companyId).findUnsorted(['companyId', 'wanted'], { wanted: `${kind}/email` }, from);
    },
    async companiesWithAny(companyIds) {
      const found = await Promise.all(
        companyIds.map(async (companyId) => ((await settings.of(companyId).findOne({})) ? [companyId] : [])),
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

/** What is planned about a person, when the person is erased. At most `limit`; how many were removed. */
export async function removeThreadMails(
  mails: ThreadMails,
  { companyId, phone }: Pick<ThreadMail, 'companyId' | 'phone'>,
  limit: number,
): Promise<number> {
  const own = mails.of(companyId);
  const found = await own.findFields(['id'], { phone }, { phone: 1 }, limit);
  for (const { id } of found) await own.changeIfExists(id, () => decided(null));
  return found.length;
}
