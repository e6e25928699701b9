import { useEffect, useState } from 'react';

/** What a person edits: the saved value until something is changed, then the edits, whatever is read again meanwhile. */
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

export function useDraft<Value extends object>(saved: Value): Draft<Value> {
  const [draft, setDraft] = useState<{ value: Value; base?: string }>();
  const current = JSON.stringify(saved);
  const isChanged = draft !== undefined && JSON.stringify(draft.value) !== current;
  useLeaveWarning(isChanged);
  return {
    value: draft?.value ?? saved,
    isChanged,
    isOutdated: isChanged && draft.base !== undefined && draft.base !== current,
    set: (value) => setDraft((edited) => (edited ? { ...edited, value } : { value, base: current })),
    discard: () => setDraft(undefined),
    accept: (submitted) =>
      setDraft((edited) => (!edited || edited.value === submitted ? undefined : { value: edited.value })),
  };
}

/** The browser asks before a page with edits is closed. */
function useLeaveWarning(isChanged: boolean): void {
  useEffect(() => {
    if (!isChanged) return;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isChanged]);
}
