import { useEffect, useState } from 'react';

/** What a person edits: the saved value until something is changed, then the edits, whatever is read again meanwhile. */
export interface Draft<Value> {
  readonly value: Value;
  readonly isChanged: boolean;
  readonly set: (value: Value) => void;
  readonly discard: () => void;
  /** The value was saved; what was edited since then stays. */
  readonly accept: (submitted: Value) => void;
}

export function useDraft<Value extends object>(saved: Value): Draft<Value> {
  const [draft, setDraft] = useState<Value>();
  const isChanged = draft !== undefined && JSON.stringify(draft) !== JSON.stringify(saved);
  useLeaveWarning(isChanged);
  return {
    value: draft ?? saved,
    isChanged,
    set: setDraft,
    discard: () => setDraft(undefined),
    accept: (submitted) => setDraft((current) => (current === submitted ? undefined : current)),
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
