import { useEffect, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { useDebounced } from './use-debounced.ts';

export interface Filters {
  readonly get: (name: string) => string;
  /** An empty value removes the filter. */
  readonly set: (changes: Readonly<Record<string, string>>) => void;
}

/** Filters of a list, kept in its address: a reload, a link and the back button show the same. */
export function useFilters(): Filters {
  const params = new URLSearchParams(useSearch());
  const [, navigate] = useLocation();
  return {
    get: (name) => params.get(name) ?? '',
    set(changes) {
      const search = withFilters(new URLSearchParams(location.search), changes).toString();
      // The whole path: relative to its section the address of a list would end with a slash.
      navigate(`~${location.pathname}${search && `?${search}`}`, { replace: true });
    },
  };
}

/** A text filter: what is typed, which becomes the filter once one pauses. */
export function useTextFilter(filters: Filters, name: string): [string, (text: string) => void] {
  const applied = filters.get(name);
  const [typed, setTyped] = useState(applied);
  const settled = useDebounced(typed);
  const { set } = filters;
  useEffect(() => {
    if (settled.trim() !== applied) set({ [name]: settled.trim() });
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only what is typed changes the address
  }, [settled]);
  useEffect(() => {
    if (settled.trim() !== applied) setTyped(applied);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- an address that changed otherwise, as by a link, is shown
  }, [applied]);
  return [typed, setTyped];
}

function withFilters(current: URLSearchParams, changes: Readonly<Record<string, string>>): URLSearchParams {
  const next = new URLSearchParams(current);
  for (const [name, value] of Object.entries(changes)) {
    if (value === '') next.delete(name);
    else next.set(name, value);
  }
  return next;
}
