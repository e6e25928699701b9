import { useSyncExternalStore } from 'react';

export type Theme = 'system' | 'light' | 'dark';

const KEY = 'parley.theme';
const listeners = new Set<() => void>();
let current: Theme = read();

/** Light or dark, in this browser; the system's unless chosen. */
export const theme = {
  apply(): void {
    if (current === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = current;
  },
  choose(chosen: Theme): void {
    current = chosen;
    localStorage.setItem(KEY, chosen);
    theme.apply();
    for (const listener of listeners) listener();
  },
};

export function useTheme(): Theme {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
}

function read(): Theme {
  const stored = localStorage.getItem(KEY);
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}
