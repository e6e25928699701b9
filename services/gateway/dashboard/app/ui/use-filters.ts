import { useEffect, useEffectEvent, useState } from 'react';
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
  const apply = useEffectEvent((text: string) => {
    if (text !== applied) filters.set({ [name]: text });
  });
  useEffect(() => apply(settled.trim()), [settled]);
  // An address that changed otherwise, as by a link, is shown.
  const [shown, setShown] = useState(applied);
  if (shown !== applied) {
    setShown(applied);
    if (settled.trim() !== applied) setTyped(applied);
  }
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
