import { memo, type ReactNode, useEffect, useMemo } from 'react';
import { Link } from 'wouter';
import type { Call, Contact } from '../api/schema.d.ts';
import { duration } from '../ui/duration.ts';
import { LoadMore } from '../ui/load-more.tsx';
import { Page } from '../ui/page.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { Time } from '../ui/time.tsx';
import { useFilters } from '../ui/use-filters.ts';
import { CallFilterBar } from './call-filter-bar.tsx';
import { CALL_FILTERS, type CallFilter, callQuery } from './call-query.ts';
import { useCallList, useContactsOfCalls, useLatestCalls } from './call-queries.ts';
import { directionText, employeeNames, isInProgress, outcomeText, remoteNumber } from './call-text.ts';

export function CallList(): ReactNode {
  const filters = useFilters();
  const address = CALL_FILTERS.map((name) => filters.get(name)).join('\n');
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- `address` is what the filters contain
  const query = useMemo(() => callQuery((name: CallFilter) => filters.get(name)), [address]);
  const list = useCallList(query);
  const latest = useLatestCalls(query);
  const pages = useMemo(() => list.data?.pages.map(({ calls }) => calls) ?? [], [list.data]);
  const contacts = useContactsOfCalls(pages);
  const current = new Map(latest.data?.map((call) => [call.id, call]));
  const shown = pages.flat().map((call) => current.get(call.id) ?? call);
  const ids = new Set(shown.map(({ id }) => id));
  const arrived = list.data && !list.isPlaceholderData ? [...current.keys()].filter((id) => !ids.has(id)).length : 0;
  return (
    <Page title="Calls">
      <CallFilterBar filters={filters} />
      <ArrivedCalls count={arrived} isReading={list.isRefetching} refetch={list.refetch} />
      <QueryState query={list} what="calls">
        {() =>
          shown.length > 0 ? (
            <CallTable calls={shown} contacts={contacts} />
          ) : (
            <p role="status">{address.trim() ? 'No call fits these filters.' : 'There are no calls yet.'}</p>
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
  useEffect(() => {
    if (count > 0 && window.scrollY === 0) void refetch();
  }, [count, refetch]);
  function show(): void {
    window.scrollTo({ top: 0 });
    void refetch();
  }
  return (
    <div className="arrived-calls" role="status">
      {count > 0 && !isReading && (
        <button type="button" onClick={show}>
          {count === 1 ? 'Show 1 new call' : `Show ${count} new calls`}
        </button>
      )}
    </div>
  );
}

function CallTable(props: { calls: readonly Call[]; contacts: ReadonlyMap<string, Contact> }): ReactNode {
  return (
    <div className="table-scroll">
      <table aria-label="Calls">
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Direction</th>
            <th scope="col">Person</th>
            <th scope="col">Business number</th>
            <th scope="col">Employee</th>
            <th scope="col">Outcome</th>
            <th scope="col">Length</th>
          </tr>
        </thead>
        <tbody>
          {props.calls.map((call) => (
            <CallRow key={call.id} call={call} contact={props.contacts.get(remoteNumber(call) ?? '')} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Thousands may be loaded: those that are shown already are not rendered again with every page. */
const CallRow = memo(function CallRow({ call, contact }: { call: Call; contact: Contact | undefined }): ReactNode {
  return (
    <tr>
      <td className="no-wrap">
        <Link href={`/${call.id}`} aria-label={`Call ${call.started_at ? timeText(call.started_at) : ''}`}>
          {call.started_at ? <Time at={call.started_at} withTime /> : 'Call'}
        </Link>
      </td>
      <td>{directionText(call)}</td>
      <td className="person">
        <Person call={call} contact={contact} />
      </td>
      <td>{call.main_number_name || call.main_number_formatted}</td>
      <td>{employeeNames(call).join(', ')}</td>
      <td className={isInProgress(call) ? 'in-progress' : undefined}>{outcomeText(call)}</td>
      <td>{call.duration === null ? '' : duration(call.duration)}</td>
    </tr>
  );
});

function Person({ call, contact }: { call: Call; contact: Contact | undefined }): ReactNode {
  const number = remoteNumber(call);
  if (number === undefined) return 'Withheld number';
  return (
    <Link href={`~/dashboard/inbox/${encodeURIComponent(number)}`}>
      {contact?.name?.trim() || contact?.phone_formatted || number}
    </Link>
  );
}

const timeFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

function timeText(at: string): string {
  return timeFormat.format(new Date(at));
}
