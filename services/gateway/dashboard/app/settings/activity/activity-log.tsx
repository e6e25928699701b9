import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, ok } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import type { AuditEvent } from '../../api/schema.d.ts';
import { employeesQuery } from '../../api/shared-queries.ts';
import { t } from '../../i18n/translate.ts';
import { DownloadLink } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { DayField, SelectField } from '../../ui/field.tsx';
import { History } from '../../ui/icons/index.ts';
import { LoadMore } from '../../ui/load-more.tsx';
import { Section } from '../../ui/page.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { Time } from '../../ui/time.tsx';
import { type Filters, useFilters } from '../../ui/use-filters.ts';
import { SettingsPage } from '../settings-page.tsx';
import styles from './activity-log.module.css';
import { activityQuery, activityTypes, actorText, changeTexts, credentialText, typeText } from './activity-text.ts';

export function ActivityLog(): ReactNode {
  const filters = useFilters();
  const query = activityQuery(filters.get);
  const events = useInfiniteQuery({
    queryKey: [...queryKeys.auditEvents, query],
    queryFn: ({ signal, pageParam }) =>
      ok(
        api.GET('/api/v1/audit_events', {
          params: { query: { ...query, ...(pageParam && { cursor: pageParam }) } },
          signal,
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor: cursor }) => cursor,
    placeholderData: (shown) => shown,
    staleTime: 0,
    refetchOnWindowFocus: false,
  });
  return (
    <SettingsPage title={t('Activity log')} path="/settings/activity">
      <Section
        title={t('Who changed what')}
        description={t('Changes of the company, employees, credentials and numbers, kept for 400 days.')}
        actions={
          <DownloadLink href={`/api/v1/audit_events.csv?${new URLSearchParams(query).toString()}`}>
            {t('Download as CSV')}
          </DownloadLink>
        }
      >
        <ActivityFilters filters={filters} />
        <QueryState query={events}>
          {({ pages }) =>
            pages[0]?.audit_events.length === 0 ? (
              <div role="status">
                <EmptyState icon={History} title={t('Nothing fits these filters.')}>
                  {t('Try another person or a longer period.')}
                </EmptyState>
              </div>
            ) : (
              <ol className={styles['list']} aria-label={t('Activity log')} aria-busy={events.isPlaceholderData}>
                {pages
                  .flatMap((page) => page.audit_events)
                  .map((event) => (
                    <Entry key={event.id} event={event} />
                  ))}
              </ol>
            )
          }
        </QueryState>
        <LoadMore {...events} />
      </Section>
    </SettingsPage>
  );
}

function ActivityFilters({ filters }: { filters: Filters }): ReactNode {
  const { data: employees = [] } = useQuery(employeesQuery);
  const day = (name: string, label: string) => (
    <DayField
      label={label}
      emptyText={t('Any day')}
      value={filters.get(name)}
      onChange={(event) => filters.set({ [name]: event.target.value })}
    />
  );
  return (
    <div className={styles['filters']}>
      <Choice
        label={t('Person')}
        value={filters.get('actor_id')}
        onChange={(id) => filters.set({ actor_id: id })}
        options={[{ value: '', label: t('Anybody') }, ...employees.map(({ id, name }) => ({ value: id, label: name }))]}
      />
      <SelectField
        label={t('What happened')}
        value={filters.get('type')}
        onChange={(event) => filters.set({ type: event.target.value })}
      >
        <option value="">{t('Anything')}</option>
        {activityTypes().map(([type, text]) => (
          <option key={type} value={type}>
            {text}
          </option>
        ))}
      </SelectField>
      {day('from', t('First day'))}
      {day('to', t('Last day'))}
    </div>
  );
}

function Entry({ event }: { event: AuditEvent }): ReactNode {
  const { type, actor, object, address, at } = event;
  const lines = changeTexts(event);
  const credential = credentialText(actor);
  return (
    <li className={styles['entry']}>
      <p className={styles['what']}>
        <span className={styles['type']}>{typeText(type)}</span>
        {object.name !== null && object.name !== '' && (
          <>
            {': '}
            <bdi>{object.name}</bdi>
          </>
        )}
      </p>
      <span className={styles['when']}>
        <Time at={at} withTime />
      </span>
      <p className={styles['who']}>
        <bdi>{actorText(actor)}</bdi>
        {credential !== undefined && (
          <>
            {' '}
            <bdi>{credential}</bdi>
          </>
        )}
        {address !== null && ` · ${address}`}
      </p>
      {lines.length > 0 && (
        <ul className={styles['changes']}>
          {lines.map(([field = '', ...values]) => (
            <li key={field}>
              {field}: <bdi>{values.join(' → ')}</bdi>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}
