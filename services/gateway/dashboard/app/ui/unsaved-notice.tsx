import type { ReactNode } from 'react';
import type { UnsavedEdits } from './use-kept-form.ts';

/** Says that a form has edits, and gives a way back. */
export function UnsavedNotice({ unsaved }: { unsaved: UnsavedEdits }): ReactNode {
  if (!unsaved.isChanged) return null;
  return (
    <>
      <button
        type="button"
        className="quiet"
        onClick={({ currentTarget }) => {
          // This button goes: the focus stays in the form.
          currentTarget.form?.querySelector<HTMLElement>('button:not([type=button])')?.focus();
          unsaved.discard();
        }}
      >
        Discard changes
      </button>
      <span className="soft">Changes are kept in this window until you save or discard them.</span>
    </>
  );
}
