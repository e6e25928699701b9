import { type ReactNode, useSyncExternalStore } from 'react';
import { t } from '../i18n/translate.ts';
import styles from './announcements.module.css';

interface Announcement {
  readonly id: number;
  readonly text: string;
  readonly undo?: (() => unknown) | undefined;
}

const SHOWN_MS = 5000;
let current: Announcement | undefined;
let nextId = 1;
const listeners = new Set<() => void>();

/**
 * Says briefly that something was done, to the eye and to a screen reader; one at a time. Never for calls, nor for what needs an answer.
 * `undo` takes it back; if its promise is rejected, the reason is announced.
 */
export function announce(text: string, undo?: () => unknown): void {
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
            <button type="button" className={styles['undo']} onClick={() => takeBack(shown)}>
              {t('Undo')}
            </button>
          )}
        </p>
      )}
    </div>
  );
}

function takeBack({ undo }: Announcement): void {
  set(undefined);
  void Promise.resolve(undo?.()).catch((error: Error) => announce(error.message));
}

function set(next: Announcement | undefined): void {
  current = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
