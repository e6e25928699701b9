import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { useSearchParams } from 'wouter';
import { businessNumbersQuery } from '../api/shared-queries.ts';
import { SelectField } from '../ui/field.tsx';
import { Page } from '../ui/page.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { Switch } from '../ui/switch.tsx';
import { useDebounced } from '../ui/use-debounced.ts';
import { readFilters, type ThreadFilters, writeFilters } from './thread-filters.ts';
import { ThreadList } from './thread-list.tsx';

export function InboxPage(): ReactNode {
  const [search, setSearch] = useSearchParams();
  const filters = readFilters(search);
  const numbers = useQuery(businessNumbersQuery);
  const [typed, setTyped] = useState(filters.query);
  const query = useDebounced(typed.trim());

  function change(changed: Partial<ThreadFilters>): void {
    setSearch((now) => writeFilters({ ...readFilters(now), ...changed }), { replace: true });
  }
  useEffect(() => {
    if (query !== filters.query) change({ query });
    // Only what was typed changes the address; the address changes what is typed when one goes back.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [query]);

  return (
    <Page title="Inbox">
      <div className="filters">
        <SearchField label="Search inbox" value={typed} onChange={setTyped} />
        <SelectField
          label="Business number"
          value={filters.businessNumberId}
          onChange={(event) => change({ businessNumberId: event.target.value })}
        >
          <option value="">All numbers</option>
          {numbers.data?.map(({ id, name, number_formatted }) => (
            <option key={id} value={id}>
              {name} ({number_formatted})
            </option>
          ))}
        </SelectField>
        <Switch label="Unseen only" checked={filters.unseen} onChange={(unseen) => change({ unseen })} />
      </div>
      <ThreadList filters={filters} />
    </Page>
  );
}
