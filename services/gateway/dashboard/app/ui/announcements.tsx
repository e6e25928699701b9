import { type ReactNode, useSyncExternalStore } from 'react';
import { t } from '../i18n/translate.ts';
import styles from './announcements.module.css';

interface Announcement {
  readonly id: number;
  readonly text: string;
  readonly undo?: (() => void) | undefined;
}

const SHOWN_MS = 5000;
let current: Announcement | undefined;
let nextId = 1;
const listeners = new Set<() => void>();

/**
 * Says briefly that something was done, to the eye and to a screen reader; one at a time. Never for calls, nor for what needs an answer.
 * `undo` takes it back.
 */
export function announce(text: string, undo?: () => void): void {
  const announcement = { id: nextId++, text, undo };
  set(announcement);
  setTimeout(() => {
    if (current === announcement) set(undefined);
  }, SHOWN_MS);
}

export function Announcements(): ReactNode {
  const shown = useSyncExternalStore(subscribe, () => current);
  return (
    // React Aria leaves what has this attribute usable while a dialog is open.
    <div className={styles['place']} role="status" aria-live="polite" data-react-aria-top-layer="true">
      {shown && (
        <p key={shown.id} className={styles['toast']}>
          <span>{shown.text}</span>
          {shown.undo && (
            <button
              type="button"
              className={styles['undo']}
              onClick={() => {
                shown.undo?.();
                set(undefined);
              }}
            >
              {t('Undo')}
            </button>
          )}
        </p>
      )}
    </div>
  );
}

function set(next: Announcement | undefined): void {
  current = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
