import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { ApiError } from '../api/api-error.ts';
import { businessNumbersQuery } from '../api/shared-queries.ts';
import { SelectField } from '../ui/field.tsx';
import { NotFound } from '../ui/not-found.tsx';
import { Page } from '../ui/page.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { Switch } from '../ui/switch.tsx';
import { useFilters, useTextFilter } from '../ui/use-filters.ts';
import { NewMessageDialog } from './new-message-dialog.tsx';
import { ThreadList } from './thread-list.tsx';
import { useThreads } from './thread-queries.ts';

export function InboxPage(): ReactNode {
  const [isWriting, setIsWriting] = useState(false);
  const filters = useFilters();
  const [typed, setTyped] = useTextFilter(filters, 'query');
  const query = filters.get('query');
  const unseen = filters.get('unseen') === 'true';
  const businessNumberId = filters.get('business_number_id');
  const numbers = useQuery(businessNumbersQuery);
  const threads = useThreads({ query, unseen, businessNumberId });

  // The business number of somebody else.
  if (threads.query.error instanceof ApiError && threads.query.error.isNotFound) return <NotFound />;
  return (
    <Page
      title="Inbox"
      actions={
        <button type="button" aria-haspopup="dialog" onClick={() => setIsWriting(true)}>
          New message
        </button>
      }
    >
      <div className="filters">
        <SearchField label="Search inbox" value={typed} onChange={setTyped} />
        <SelectField
          label="Business number"
          value={businessNumberId}
          onChange={(event) => filters.set({ business_number_id: event.target.value })}
        >
          <option value="">All numbers</option>
          {numbers.data?.map(({ id, name, number_formatted }) => (
            <option key={id} value={id}>
              {name} ({number_formatted})
            </option>
          ))}
        </SelectField>
        <Switch
          label="Unseen only"
          checked={unseen}
          onChange={(checked) => filters.set({ unseen: checked ? 'true' : '' })}
        />
      </div>
      <ThreadList {...threads} isFiltered={query !== '' || unseen || businessNumberId !== ''} />
      {isWriting && <NewMessageDialog onClose={() => setIsWriting(false)} />}
    </Page>
  );
}
