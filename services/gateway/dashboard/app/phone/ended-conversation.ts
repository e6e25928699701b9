import { useCallback, useEffect, useState } from 'react';
import { softphone } from './softphone.ts';

/** The id of the conversation that has ended on this phone, until the next call or until it is forgotten. */
export function useEndedConversation(): readonly [string | undefined, () => void] {
  const [endedId, setEndedId] = useState<string>();
  useEffect(() => {
    let { call: last } = softphone.current();
    return softphone.subscribe(() => {
      const { call } = softphone.current();
      if (call) setEndedId(undefined);
      else if (last?.state === 'active' && last.callId !== null) setEndedId(last.callId);
      last = call;
    });
  }, []);
  const forget = useCallback(() => setEndedId(undefined), []);
  return [endedId, forget];
}
