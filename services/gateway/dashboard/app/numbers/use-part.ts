import { t } from '../i18n/translate.ts';
import { announce } from '../ui/announcements.tsx';
import type { Draft } from '../ui/use-draft.ts';
import { type Submit, useSubmit } from '../ui/use-submit.ts';

/** A part of a page with edits of its own, which is saved by itself or together with the others. */
export interface Part extends Pick<Submit<never>, 'pending' | 'error' | 'errorsOf' | 'form'> {
  readonly title: string;
  readonly isChanged: boolean;
  readonly isOutdated: boolean;
  /** Resolves with true when the API has accepted it. */
  readonly save: () => Promise<boolean>;
  readonly discard: () => void;
}

export function usePart<Value, Saved>(options: {
  title: string;
  draft: Draft<Value>;
  save: (value: Value) => Promise<Saved>;
  /** Before the edits are replaced by the saved value. */
  onSaved: (saved: Saved) => void;
}): Part {
  const { title, draft } = options;
  const { pending, error, errorsOf, form, send, reset } = useSubmit(options.save, (saved, submitted: Value) => {
    options.onSaved(saved);
    draft.accept(submitted);
  });
  return {
    title,
    isChanged: draft.isChanged,
    isOutdated: draft.isOutdated,
    pending,
    error,
    errorsOf,
    form,
    async save() {
      if (pending || !(await send(draft.value))) return false;
      announce(t('{part}: saved.', { part: title }));
      return true;
    },
    discard() {
      draft.discard();
      reset();
    },
  };
}
