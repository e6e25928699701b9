import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { businessNumbersQuery } from '../api/shared-queries.ts';
import { SelectField, TextField } from '../ui/field.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { type Filters, useTextFilter } from '../ui/use-filters.ts';
import { CALL_FILTERS, type CallFilter } from './call-query.ts';
import { CALL_STATES } from './call-text.ts';

const NO_FILTERS = Object.fromEntries(CALL_FILTERS.map((name) => [name, '']));

export function CallFilterBar({ filters }: { filters: Filters }): ReactNode {
  const [search, setSearch] = useTextFilter(filters, 'query');
  const [phone, setPhone] = useTextFilter(filters, 'phone_number');
  const numbers = useQuery(businessNumbersQuery);
  const choice = (name: CallFilter) => ({
    value: filters.get(name),
    onChange: (event: { target: { value: string } }) => filters.set({ [name]: event.target.value }),
  });
  const isFiltered = CALL_FILTERS.some((name) => filters.get(name) !== '');
  return (
    <div className="call-filters">
      <div className="filters">
        <SearchField label="Search calls" value={search} onChange={setSearch} />
        <span className="hint">Words of a call or what it was about; best matches first.</span>
      </div>
      <div className="filters">
        <SelectField label="Direction" {...choice('direction')}>
          <option value="">Both</option>
          <option value="inbound">Incoming</option>
          <option value="outbound">Outgoing</option>
        </SelectField>
        <SelectField label="Business number" {...choice('main_number_id')}>
          <option value="">All</option>
          {numbers.data?.map(({ id, name, number_formatted: number }) => (
            <option key={id} value={id}>
              {name ? `${name}, ${number}` : number}
            </option>
          ))}
        </SelectField>
        <SelectField label="State" {...choice('state')}>
          <option value="">Any</option>
          {CALL_STATES.map(([state, text]) => (
            <option key={state} value={state}>
              {text}
            </option>
          ))}
        </SelectField>
        <TextField
          label="Phone number"
          type="tel"
          maxLength={40}
          value={phone}
          onChange={(event) => setPhone(event.target.value)}
        />
        <TextField label="First day" type="date" {...choice('from')} />
        <TextField label="Last day" type="date" {...choice('to')} />
        {isFiltered && (
          <button type="button" className="quiet" onClick={() => filters.set(NO_FILTERS)}>
            Clear filters
          </button>
        )}
      </div>
    </div>
  );
}
