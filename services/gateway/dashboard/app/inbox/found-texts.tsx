import { useQuery } from '@tanstack/react-query';
import { Fragment, type ReactNode } from 'react';
import { Link } from 'wouter';
import { ApiError } from '../api/api-error.ts';
import { api, ok } from '../api/client.ts';
import { queryKeys } from '../api/query-keys.ts';
import type { FoundMessage } from '../api/schema.d.ts';
import { t } from '../i18n/translate.ts';
import { PhoneNumber } from '../ui/phone-number.tsx';
import { Time } from '../ui/time.tsx';
import { contactName } from './activity-texts.ts';
import styles from './found-texts.module.css';
import { excerptOf } from './text-excerpt.ts';

const SHOWN_MAX = 20;

export interface FoundText extends FoundMessage {
  /** The number of the person, not of the company. */
  readonly phone: string;
  readonly name: string | undefined;
}

/** The newest texts that have the words. */
export function useFoundTexts(query: string, businessNumberId: string): readonly FoundText[] {
  const { data = [] } = useQuery({
    queryKey: [...queryKeys.inbox, 'texts', query, businessNumberId],
    queryFn: async ({ signal }) => {
      const asked = {
        query,
        limit: String(SHOWN_MAX),
        ...(businessNumberId !== '' && { business_number_id: businessNumberId }),
      };
      try {
        return (await ok(api.GET('/api/v1/messages', { params: { query: asked }, signal }))).messages;
      } catch (error) {
        // No word among them, or the company sends no texts: there is nothing to find.
        if (error instanceof ApiError && [404, 422].includes(error.status)) return [];
        throw error;
      }
    },
    enabled: query !== '',
  });
  const names = useNames(data.map(phoneOf));
  return query === '' ? [] : data.map((text) => ({ ...text, phone: phoneOf(text), name: names?.get(phoneOf(text)) }));
}

const phoneOf = ({ direction, from, to }: FoundMessage) => (direction === 'inbound' ? from : to);

/** The names of contacts by their phone numbers. */
function useNames(phones: readonly string[]): ReadonlyMap<string, string | undefined> | undefined {
  const query = { phones: [...new Set(phones)].toSorted().join(',') };
  const { data } = useQuery({
    queryKey: [...queryKeys.contacts, 'of texts', query.phones],
    queryFn: ({ signal }) => ok(api.GET('/api/v1/contacts', { params: { query }, signal })),
    enabled: query.phones !== '',
    select: (contacts) => new Map(contacts.map((contact) => [contact.phone, contactName(contact)])),
  });
  return data;
}

export function FoundTexts({ texts }: { texts: readonly FoundText[] }): ReactNode {
  return (
    <section className={styles['found']} aria-label={t('In texts')}>
      <h2 className={styles['heading']}>{t('In texts')}</h2>
      <ul aria-label={t('In texts')}>
        {texts.map((text) => (
          <FoundRow key={text.id} text={text} />
        ))}
      </ul>
    </section>
  );
}

function FoundRow({ text }: { text: FoundText }): ReactNode {
  const { phone, name } = text;
  return (
    <li>
      <Link href={`/${encodeURIComponent(phone)}${location.search}#${text.id}`} className={styles['row']}>
        <span className={styles['who']}>
          {name === undefined ? <PhoneNumber value={phone} /> : <bdi>{name}</bdi>}
          <Time at={text.created_at} />
        </span>
        <span className={styles['text']} dir="auto">
          {excerptOf(text.text, text.highlights).map((part, index) =>
            part.isHit ? <mark key={index}>{part.text}</mark> : <Fragment key={index}>{part.text}</Fragment>,
          )}
        </span>
      </Link>
    </li>
  );
}
