import { useCallback, useState } from 'react';
import { session } from '../session.ts';
import { type Draft, parseDraft } from './draft.ts';

/** The draft to a phone number: kept by this window, so a reload or a failure loses nothing. */
export function useDraft(phoneNumber: string): [Draft, (change: (now: Draft) => Draft) => void] {
  const name = `draft ${session.employeeId} ${phoneNumber}`;
  const [draft, setDraft] = useState(() => parseDraft(sessionStorage.getItem(name)));
  const change = useCallback(
    (decide: (now: Draft) => Draft) => {
      // Stored at once: a page that is left in the same moment does not render any more.
      const next = decide(parseDraft(sessionStorage.getItem(name)));
      sessionStorage.setItem(name, JSON.stringify(next));
      setDraft(next);
    },
    [name],
  );
  return [draft, change];
}
