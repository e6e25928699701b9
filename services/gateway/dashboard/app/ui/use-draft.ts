import { useEffect, useState } from 'react';
import { hasShapeOf } from './edits-shape.ts';
import { storeUnsavedEdits, readUnsavedEdits } from './unsaved-edits.ts';
import { useLeaveWarning } from './use-leave-warning.ts';

/** The edited value: the saved one until the first change, then the edits, even if the saved value is read again. */
export interface Draft<Value> {
  readonly value: Value;
  readonly isChanged: boolean;
  /** Something else was saved since the first edit, which saving the edits would replace. */
  readonly isOutdated: boolean;
  readonly set: (value: Value) => void;
  readonly discard: () => void;
  /** The value was saved; what was edited since then stays. */
  readonly accept: (submitted: Value) => void;
}

interface Edits<Value> {
  readonly value: Value;
  /** The saved value when the edits began, as JSON; empty: unknown. */
  readonly base: string;
}

/** `name`: under which the window keeps the edits until they are saved or discarded. */
export function useDraft<Value extends object>(name: string, saved: Value): Draft<Value> {
  const [draft, setDraft] = useState(() =>
    readUnsavedEdits(name, (stored): stored is Edits<Value> => hasShapeOf(stored, { value: saved, base: '' })),
  );
  const current = JSON.stringify(saved);
  const isChanged = draft !== undefined && JSON.stringify(draft.value) !== current;
  useLeaveWarning(isChanged);
  useEffect(() => storeUnsavedEdits(name, isChanged ? draft : undefined), [name, isChanged, draft]);
  return {
    value: draft?.value ?? saved,
    isChanged,
    isOutdated: isChanged && draft.base !== '' && draft.base !== current,
    set: (value) => setDraft((edited) => ({ value, base: edited?.base ?? current })),
    discard() {
      // At once: the form may be gone before it renders again.
      storeUnsavedEdits(name, undefined);
      setDraft(undefined);
    },
    accept: (submitted) =>
      setDraft((edited) => (!edited || edited.value === submitted ? undefined : { value: edited.value, base: '' })),
  };
}
