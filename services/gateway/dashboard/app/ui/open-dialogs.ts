import { useSyncExternalStore } from 'react';

let open: readonly HTMLDialogElement[] = [];
const listeners = new Set<() => void>();

export function dialogOpened(dialog: HTMLDialogElement): void {
  set([...open, dialog]);
}

export function dialogClosed(dialog: HTMLDialogElement): void {
  set(open.filter((one) => one !== dialog));
}

/** The modal dialog in front, outside of which nothing can be used. */
export function useFrontDialog(): HTMLDialogElement | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => open.at(-1),
  );
}

function set(next: readonly HTMLDialogElement[]): void {
  open = next;
  for (const listener of listeners) listener();
}
