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
import styles from './found-texts.module.css';
import { excerptOf } from './text-excerpt.ts';

const SHOWN_MAX = 20;

/** The newest texts that have the words. */
export function useFoundTexts(query: string, businessNumberId: string): readonly FoundMessage[] {
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
  return query === '' ? [] : data;
}

export function FoundTexts({ texts }: { texts: readonly FoundMessage[] }): ReactNode {
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

function FoundRow({ text }: { text: FoundMessage }): ReactNode {
  const phone = text.direction === 'inbound' ? text.from : text.to;
  return (
    <li>
      <Link href={`/${encodeURIComponent(phone)}${location.search}`} className={styles['row']}>
        <span className={styles['who']}>
          <PhoneNumber value={phone} />
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
