import { createStore } from '../ui/store.ts';

export type Theme = 'system' | 'light' | 'dark';

const KEY = 'parley.theme';
const current = createStore(read());

/** Light or dark, in this browser; the system's unless chosen. */
export const theme = {
  apply(): void {
    const chosen = current.get();
    if (chosen === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = chosen;
  },
  choose(chosen: Theme): void {
    localStorage.setItem(KEY, chosen);
    current.set(chosen);
    theme.apply();
  },
};

export const useTheme = current.useValue;

function read(): Theme {
  const stored = localStorage.getItem(KEY);
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}
