import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import { t, tn } from '../i18n/translate.ts';
import { isAdmin, session } from '../session.ts';
import { ButtonLink, DownloadLink } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { SMALL } from '../ui/icon.ts';
import { ArrowUp, PhoneIncoming, SearchX } from '../ui/icons/index.ts';
import { LoadMore } from '../ui/load-more.tsx';
import { Page } from '../ui/page.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { scrollerOf } from '../ui/scroller-of.ts';
import { SearchField } from '../ui/search-field.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { useFilters, useTextFilter } from '../ui/use-filters.ts';
import { CallFilterBar } from './call-filter-bar.tsx';
import styles from './call-list.module.css';
import { CALL_FILTERS, type CallFilter, callQuery, exportAddress } from './call-query.ts';
import { useCallList, useContactsOfCalls, useLatestCalls, useVoicemails } from './call-queries.ts';
import { CallTable } from './call-table.tsx';
import { callsWithVoicemail } from './call-text.ts';

export function CallList(): ReactNode {
  const filters = useFilters();
  const [typed, setTyped] = useTextFilter(filters, 'query');
  const isFiltered = CALL_FILTERS.some((name) => filters.get(name).trim() !== '');
  const query = callQuery((name: CallFilter) => filters.get(name));
  const list = useCallList(query);
  const latest = useLatestCalls(query);
  const pages = useMemo(() => list.data?.pages.map(({ calls }) => calls) ?? [], [list.data]);
  const contacts = useContactsOfCalls(pages);
  const voicemails = useVoicemails();
  const shown = useMemo(() => {
    const current = new Map(latest.data?.map((call) => [call.id, call]));
    return pages.flat().map((call) => current.get(call.id) ?? call);
  }, [pages, latest.data]);
  const withVoicemail = useMemo(() => callsWithVoicemail(shown, voicemails.data ?? []), [shown, voicemails.data]);
  const ids = new Set(shown.map(({ id }) => id));
  const arrived =
    list.data && !list.isPlaceholderData ? (latest.data ?? []).filter(({ id }) => !ids.has(id)).length : 0;
  return (
    <Page
      title={t('Calls')}
      actions={
        <>
          {isAdmin && <DownloadLink href={exportAddress(filters.get)}>{t('CSV')}</DownloadLink>}
          <div className={styles['search']}>
            <SearchField label={t('Search calls')} value={typed} onChange={setTyped} />
          </div>
        </>
      }
      toolbar={<CallFilterBar filters={filters} />}
    >
      <ArrivedCalls count={arrived} isReading={list.isRefetching} refetch={list.refetch} />
      <QueryState query={list} skeleton={<SkeletonRows what={t('Loading calls…')} rows={8} />}>
        {() =>
          shown.length > 0 ? (
            <CallTable calls={shown} contacts={contacts} withVoicemail={withVoicemail} search={filters.get('query')} />
          ) : (
            <NoCalls isFiltered={isFiltered} />
          )
        }
      </QueryState>
      <LoadMore {...list} />
    </Page>
  );
}

/** Calls that began after the list was read: shown at once to somebody at its beginning, otherwise on request. */
function ArrivedCalls(props: { count: number; isReading: boolean; refetch: () => Promise<unknown> }): ReactNode {
  const { count, isReading, refetch } = props;
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (count > 0 && place.current && (scrollerOf(place.current)?.scrollTop ?? 0) === 0) void refetch();
  }, [count, refetch]);
  function show(): void {
    if (place.current) scrollerOf(place.current)?.scrollTo({ top: 0 });
    void refetch();
  }
  return (
    <div ref={place} className={styles['arrived']} role="status">
      {count > 0 && !isReading && (
        <button type="button" className={styles['pill']} onClick={show}>
          <ArrowUp {...SMALL} />
          {tn(count, 'Show 1 new call', 'Show {count} new calls')}
        </button>
      )}
    </div>
  );
}

function NoCalls({ isFiltered }: { isFiltered: boolean }): ReactNode {
  if (isFiltered)
    return (
      <div role="status">
        <EmptyState icon={SearchX} title={t('No call fits these filters.')}>
          {t('Try fewer words, another number or a longer period.')}
        </EmptyState>
      </div>
    );
  return (
    <div role="status">
      <EmptyState
        icon={PhoneIncoming}
        title={t('There are no calls yet.')}
        action={
          session.sandboxUrl !== null && (
            <ButtonLink href="~/dashboard/sandbox" variant="primary">
              {t('Make a test call')}
            </ButtonLink>
          )
        }
      >
        {t('Every call to and from your numbers will be here, with its recording and summary.')}
      </EmptyState>
    </div>
  );
}
