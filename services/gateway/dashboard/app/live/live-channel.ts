import { createConsumer } from '@rails/actioncable';
import { useEffect, useSyncExternalStore } from 'react';
import { queryClient } from '../api/query-client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { createRefresher } from './refresher.ts';

type LiveMessage = { readonly type: 'sms_update'; readonly phone_number: string } | { readonly type: 'unseen_update' };

/** What messages announce changes of. */
const ANNOUNCED = [queryKeys.inbox, queryKeys.unseen, queryKeys.activities, queryKeys.calls];

const refresh = createRefresher((queryKey) => queryClient.invalidateQueries({ queryKey }));

let connected = true;
const listeners = new Set<() => void>();

/** Keeps the data of the API current while the application is open. */
export function useLiveChannel(): void {
  useEffect(() => {
    const consumer = createConsumer('/cable');
    let isFirst = true;
    const subscription = consumer.subscriptions.create('CallsChannel', {
      connected() {
        setConnected(true);
        // What happened before was not announced; after a lost connection anything may have changed.
        for (const queryKey of isFirst ? ANNOUNCED : [[]]) refresh(queryKey);
        isFirst = false;
      },
      disconnected({ willAttemptReconnect = true } = {}) {
        setConnected(false);
        // The session has ended, or too many windows are open: the next request to the API tells.
        if (!willAttemptReconnect) refresh([]);
      },
      received: (message: LiveMessage) => apply(message),
    });
    return () => {
      subscription.unsubscribe();
      consumer.disconnect();
    };
  }, []);
}

/** Whether changes arrive by themselves. */
export function useIsLive(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => connected,
  );
}

function setConnected(value: boolean): void {
  connected = value;
  for (const listener of listeners) listener();
}

function apply(message: LiveMessage): void {
  refresh(queryKeys.inbox);
  refresh(queryKeys.unseen);
  if (message.type === 'sms_update') refresh(queryKeys.activity(message.phone_number));
  else {
    refresh(queryKeys.activities);
    refresh(queryKeys.calls);
  }
}
