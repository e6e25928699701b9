import { useSyncExternalStore } from 'react';

/** The open state where there is no space for the dialler: beside the rail, and on a phone. */
let isOpen = false;
const listeners = new Set<() => void>();

export function toggleDialler(): void {
  set(!isOpen);
}

export function closeDialler(): void {
  set(false);
}

export function useDialler(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isOpen,
  );
}

function set(next: boolean): void {
  isOpen = next;
  for (const listener of listeners) listener();
}
