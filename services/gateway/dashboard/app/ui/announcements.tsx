import type { ReactNode } from 'react';
import { t } from '../i18n/translate.ts';
import styles from './announcements.module.css';
import { createStore } from './store.ts';

interface Announcement {
  readonly id: number;
  readonly text: string;
  readonly undo?: (() => unknown) | undefined;
}

const SHOWN_MS = 5000;
const current = createStore<Announcement | undefined>(undefined);
let nextId = 1;

/**
 * Says briefly that something was done, to the eye and to a screen reader; one at a time. Never for calls, nor for what needs an answer.
 * `undo` takes it back; if its promise is rejected, the reason is announced.
 */
export function announce(text: string, undo?: () => unknown): void {
  const announcement = { id: nextId++, text, undo };
  current.set(announcement);
  setTimeout(() => {
    if (current.get() === announcement) current.set(undefined);
  }, SHOWN_MS);
}

export function Announcements(): ReactNode {
  const shown = current.useValue();
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
  current.set(undefined);
  void Promise.resolve(undo?.()).catch((error: Error) => announce(error.message));
}
