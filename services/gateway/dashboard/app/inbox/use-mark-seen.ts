import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { api, ok } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { queryKeys } from '../api/query-keys.ts';
import type { Activity } from './activity-queries.ts';
import { showAsSeen } from './thread-queries.ts';

/** Marks what is shown as seen, for the whole team, while somebody can see it. */
export function useMarkSeen({ phoneNumber, items, observedAt }: Activity, isShown: boolean): void {
  const isVisible = useSyncExternalStore(onVisibilityChange, () => document.visibilityState === 'visible');
  const { mutate } = useMutation({
    mutationFn: (through: string) =>
      ok(
        api.POST('/api/v1/inbox/{phone_number}/seen', {
          params: { path: { phone_number: phoneNumber } },
          body: { through },
        }),
      ),
    retry: 2,
    onSuccess: () => {
      showAsSeen(phoneNumber);
      return queryClient.invalidateQueries({ queryKey: queryKeys.unseen });
    },
  });
  const marked = useRef('');
  const hasUnseen = items.some(
    (item) => item.type !== 'comment' && item.direction === 'inbound' && item.seen_at === null,
  );
  useEffect(() => {
    // Older items than those loaded can be unseen as well: the first time it is marked in any case.
    const isNeeded = marked.current === '' || (hasUnseen && marked.current !== observedAt);
    if (!isVisible || !isShown || !isNeeded) return;
    marked.current = observedAt;
    mutate(observedAt);
  }, [isVisible, isShown, hasUnseen, observedAt, mutate]);
}

function onVisibilityChange(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
}
