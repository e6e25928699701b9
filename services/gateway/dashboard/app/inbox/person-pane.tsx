import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { CallItem, Contact } from '../api/schema.d.ts';
import { capitalised } from '../i18n/format.ts';
import { t } from '../i18n/translate.ts';
import { Avatar } from '../ui/avatar.tsx';
import { type Icon, MEDIUM } from '../ui/icon.ts';
import { Building2, Mail, PhoneIncoming, PhoneOutgoing, Phone, StickyNote } from '../ui/icons/index.ts';
import { PhoneNumber } from '../ui/phone-number.tsx';
import { Time } from '../ui/time.tsx';
import type { Activity } from './activity-queries.ts';
import { callWords, contactName } from './activity-texts.ts';
import { CallerContextPanel } from './caller-context-panel.tsx';
import styles from './person-pane.module.css';
import text from '../ui/text.module.css';

const EARLIER_MAX = 4;

/** The contact, the records of connected systems and earlier calls. */
export function PersonPane({ activity }: { activity: Activity }): ReactNode {
  const { contact, phoneNumber, items } = activity;
  const name = contactName(contact);
  const calls = items.filter((item): item is CallItem => item.type === 'call').slice(0, EARLIER_MAX);
  return (
    <aside aria-label={t('Caller context')}>
      <div className={styles['head']}>
        <Avatar id={contact?.id ?? phoneNumber} name={name} size={48} />
        <p className={styles['who']}>
          <span className={styles['name']}>{name === undefined ? t('Unknown') : <bdi>{name}</bdi>}</span>
          <span className={text['meta']}>
            {name === undefined ? t('Not in your contacts') : <bdi>{subtitleOf(contact)}</bdi>}
          </span>
        </p>
      </div>
      <Details contact={contact} phoneNumber={phoneNumber} />
      <CallerContextPanel phoneNumber={phoneNumber} />
      {calls.length > 0 && (
        <section className={styles['section']} aria-label={t('Earlier')}>
          <h2 className={styles['heading']}>{t('Earlier')}</h2>
          <ul className={styles['earlier']}>
            {calls.map((call) => (
              <li key={call.id}>
                <Link href={`~/dashboard/calls/${encodeURIComponent(call.id)}`} className={styles['call']}>
                  {call.direction === 'inbound' ? <PhoneIncoming {...MEDIUM} /> : <PhoneOutgoing {...MEDIUM} />}
                  <bdi className={styles['about']}>{call.summary ?? capitalised(callWords(call).outcome)}</bdi>
                  <span className={styles['when']}>
                    <Time at={call.created_at} />
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
    </aside>
  );
}

function Details({ contact, phoneNumber }: { contact: Contact | null; phoneNumber: string }): ReactNode {
  const details: readonly (readonly [Icon, string, string | null | undefined])[] = [
    [Mail, t('E-mail'), contact?.email],
    [Building2, t('Company'), contact?.name ? contact.company_name : null],
    [StickyNote, t('Note'), contact?.note],
  ];
  return (
    <dl className={styles['details']}>
      <div>
        <dt>
          <Phone {...MEDIUM} />
          <span className={text['unseen']}>{t('Phone')}</span>
        </dt>
        <dd>
          <PhoneNumber value={phoneNumber} />
        </dd>
      </div>
      {details.map(
        ([Shape, label, value]) =>
          value && (
            <div key={label}>
              <dt>
                <Shape {...MEDIUM} />
                <span className={text['unseen']}>{label}</span>
              </dt>
              <dd>
                <bdi>{value}</bdi>
              </dd>
            </div>
          ),
      )}
    </dl>
  );
}

function subtitleOf(contact: Contact | null): string {
  const year = contact ? new Date(contact.created_at).getFullYear() : undefined;
  return contact?.name && contact.company_name
    ? contact.company_name
    : t('In your contacts since {year}', { year: String(year) });
}
