import { useMutation } from '@tanstack/react-query';
import { type RefObject, useEffect, useRef } from 'react';
import { ApiError } from '../api/api-error.ts';
import { t } from '../i18n/translate.ts';
import { announce } from '../ui/announcements.tsx';
import type { Draft } from '../ui/use-draft.ts';

/** A part of a page with edits of its own, which is saved by itself or together with the others. */
export interface Part {
  readonly title: string;
  readonly isChanged: boolean;
  readonly isOutdated: boolean;
  readonly pending: boolean;
  readonly error: Error | null;
  /** The API's messages for a field. */
  readonly errorsOf: (field: string) => readonly string[] | undefined;
  readonly form: RefObject<HTMLFormElement | null>;
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
  const form = useRef<HTMLFormElement>(null);
  const { mutateAsync, isPending, error, reset } = useMutation<Saved, Error, Value>({
    mutationFn: options.save,
    onSuccess: (saved, submitted) => {
      options.onSaved(saved);
      draft.accept(submitted);
    },
  });
  useEffect(() => {
    if (error) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [error]);
  return {
    title,
    isChanged: draft.isChanged,
    isOutdated: draft.isOutdated,
    pending: isPending,
    error,
    errorsOf: (field) => (error instanceof ApiError ? error.errorsOf(field) : undefined),
    form,
    async save() {
      if (isPending) return false;
      try {
        await mutateAsync(draft.value);
      } catch {
        // Shown at its fields.
        return false;
      }
      announce(t('{part}: saved.', { part: title }));
      return true;
    },
    discard() {
      draft.discard();
      reset();
    },
  };
}
