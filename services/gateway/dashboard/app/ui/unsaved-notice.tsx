import type { ReactNode } from 'react';
import { t } from '../i18n/translate.ts';
import { Button } from './button.tsx';
import styles from './form.module.css';
import type { UnsavedEdits } from './use-kept-form.ts';

/** Says that a form has edits, and gives a way back. */
export function UnsavedNotice({ unsaved }: { unsaved: UnsavedEdits }): ReactNode {
  if (!unsaved.isChanged) return null;
  return (
    <>
      <Button
        variant="ghost"
        onPress={({ target }) => {
          // This button goes: the focus stays in the form.
          target.closest('form')?.querySelector<HTMLElement>('button[type=submit]')?.focus();
          unsaved.discard();
        }}
      >
        {t('Discard changes')}
      </Button>
      <span className={styles['note']}>{t('Changes are kept in this window until you save or discard them.')}</span>
    </>
  );
}
