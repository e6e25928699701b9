import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react';
import { changedValues, type FormValues, isFormValues, showValues, valuesIn } from './form-values.ts';
import { storeUnsavedEdits, readUnsavedEdits } from './unsaved-edits.ts';
import { useLeaveWarning } from './use-leave-warning.ts';

export interface UnsavedEdits {
  readonly isChanged: boolean;
  /** Shows what the form began with. */
  readonly discard: () => void;
}

interface UnsavedForm extends UnsavedEdits {
  /** `submitted` was saved, as `saved` where that differs; what was typed since then stays. */
  readonly accept: (submitted: FormValues, saved?: FormValues) => void;
}

/** Keeps what is typed into a form whose controls hold their values themselves, under a name; without one, nothing. */
export function useUnsavedForm(form: RefObject<HTMLFormElement | null>, name: string | undefined): UnsavedForm {
  const initial = useRef<FormValues>({});
  const [isChanged, setIsChanged] = useState(false);
  useLeaveWarning(isChanged);

  const store = useCallback(() => {
    if (name === undefined || !form.current) return;
    const changed = changedValues(valuesIn(form.current), initial.current);
    storeUnsavedEdits(name, changed);
    setIsChanged(changed !== undefined);
  }, [form, name]);

  useLayoutEffect(() => {
    const element = form.current;
    if (name === undefined || !element) return;
    initial.current = valuesIn(element);
    showValues(element, readUnsavedEdits(name, isFormValues) ?? {});
    store();
    element.addEventListener('input', store);
    return () => element.removeEventListener('input', store);
  }, [form, name, store]);

  return {
    isChanged,
    discard() {
      if (form.current) showValues(form.current, initial.current);
      if (name !== undefined) storeUnsavedEdits(name, undefined);
      setIsChanged(false);
    },
    accept(submitted, saved = {}) {
      if (name === undefined) return;
      storeUnsavedEdits(name, undefined);
      if (!form.current) return;
      const typedSince = changedValues(valuesIn(form.current), submitted);
      initial.current = { ...submitted, ...saved };
      showValues(form.current, { ...initial.current, ...typedSince });
      store();
    },
  };
}
