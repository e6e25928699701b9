import { type ReactNode, useSyncExternalStore } from 'react';

interface Announcement {
  readonly id: number;
  readonly text: string;
}

const SHOWN_MS = 6000;
let announcements: readonly Announcement[] = [];
let nextId = 1;
const listeners = new Set<() => void>();

/** Says briefly that something was done, to the eye and to a screen reader. Nothing that needs an action. */
export function announce(text: string): void {
  const announcement = { id: nextId++, text };
  set([...announcements, announcement]);
  setTimeout(() => set(announcements.filter((one) => one !== announcement)), SHOWN_MS);
}

export function Announcements(): ReactNode {
  const shown = useSyncExternalStore(subscribe, () => announcements);
  return (
    <div className="announcements" role="status" aria-live="polite">
      {shown.map(({ id, text }) => (
        <p key={id}>{text}</p>
      ))}
    </div>
  );
}

function set(next: readonly Announcement[]): void {
  announcements = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
