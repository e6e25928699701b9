import { useFilters, useTextFilter } from '../ui/use-filters.ts';
import { choiceOf } from './thread-choice.ts';
import type { ThreadFilters } from './thread-queries.ts';

/** The filters of the thread list, kept in the address; typed text is applied after a pause. */
export interface EditedFilters {
  readonly applied: ThreadFilters;
  readonly typed: string;
  readonly type: (text: string) => void;
  readonly set: (changes: Readonly<Record<string, string>>) => void;
}

export function useThreadFilters(): EditedFilters {
  const filters = useFilters();
  const [typed, type] = useTextFilter(filters, 'query');
  const applied = {
    query: filters.get('query'),
    unseen: filters.get('unseen') === 'true',
    businessNumberId: filters.get('business_number_id'),
    show: choiceOf(filters.get('show')),
  };
  return { applied, typed, type, set: filters.set };
}
