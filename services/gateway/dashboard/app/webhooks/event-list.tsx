import { useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { RecordedEvent } from '../api/schema.d.ts';
import { t } from '../i18n/translate.ts';
import { Choice } from '../ui/choice.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { SelectField } from '../ui/field.tsx';
import { History } from '../ui/icons/index.ts';
import { LoadMore } from '../ui/load-more.tsx';
import { Page } from '../ui/page.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { Cell, PageTable, Row, Table } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { type Filters, useFilters } from '../ui/use-filters.ts';
import styles from './event-list.module.css';
import { EventSheet } from './event-sheet.tsx';
import { beginnings, subjectText } from './event-text.ts';
import { eventOptions } from './event-types.ts';
import { eventsQuery } from './webhook-queries.ts';

/** The log of events, oldest first; the payload of one in a sheet. */
export function EventList(): ReactNode {
  const filters = useFilters();
  const events = useInfiniteQuery(eventsQuery(filters.get('type'), filters.get('from')));
  const [openId, setOpenId] = useState<string>();
  const all = events.data?.pages.flatMap((page) => page.events) ?? [];
  const open = all.find(({ id }) => id === openId);
  const columns = [{ label: t('Type') }, { label: t('Subject') }, { label: t('Time'), align: 'end' as const }];
  return (
    <Page
      title={t('Events')}
      back={{ href: '~/dashboard/webhooks', label: t('Webhooks') }}
      toolbar={<EventFilters filters={filters} />}
    >
      <QueryState query={events}>
        {() =>
          all.length === 0 && !events.hasNextPage ? (
            <EmptyState icon={History} title={t('No events here.')}>
              {t('Events are recorded from the first webhook or the first visit of this page, and kept for 30 days.')}
            </EmptyState>
          ) : (
            <PageTable>
              <Table label={t('Events')} columns={columns}>
                {all.map((event) => (
                  <EventRow key={event.id} event={event} onOpen={() => setOpenId(event.id)} />
                ))}
              </Table>
            </PageTable>
          )
        }
      </QueryState>
      <LoadMore {...events} />
      {open && <EventSheet event={open} onClose={() => setOpenId(undefined)} />}
    </Page>
  );
}

function EventFilters({ filters }: { filters: Filters }): ReactNode {
  return (
    <>
      <Choice
        label={t('Event type')}
        hideLabel
        look="chip"
        value={filters.get('type')}
        onChange={(type) => filters.set({ type })}
        options={[{ value: '', label: t('Any event type') }, ...eventOptions([])]}
      />
      <SelectField
        label={t('From')}
        hideLabel
        look="chip"
        value={filters.get('from')}
        onChange={({ target }) => filters.set({ from: target.value })}
      >
        {beginnings().map(([name, text], index) => (
          <option key={name} value={index === 0 ? '' : name}>
            {text}
          </option>
        ))}
      </SelectField>
    </>
  );
}

function EventRow({ event, onOpen }: { event: RecordedEvent; onOpen: () => void }): ReactNode {
  return (
    <Row>
      <Cell isName>
        <button type="button" className={styles['type']} onClick={onOpen} aria-haspopup="dialog">
          {event.event}
        </button>
      </Cell>
      <Cell>
        <bdi>{subjectText(event)}</bdi>
      </Cell>
      <Cell align="end">
        <Time at={event.timestamp} withTime />
      </Cell>
    </Row>
  );
}
