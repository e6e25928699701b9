import { useEffect } from 'react';
import { isSigningInAgain } from '../api/client.ts';

/** The browser asks before a window with edits is closed. Not before a new sign-in, which returns to the edits. */
export function useLeaveWarning(isChanged: boolean): void {
  useEffect(() => {
    if (!isChanged) return;
    const ask = (event: BeforeUnloadEvent): void => {
      if (!isSigningInAgain()) event.preventDefault();
    };
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isChanged]);
}
