import { createConsumer } from '@rails/actioncable';
import { useEffect } from 'react';
import { queryClient } from '../api/query-client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { createStore } from '../ui/store.ts';
import { createRefresher } from './refresher.ts';

type LiveMessage =
  | { readonly type: 'sms_update' | 'thread_update'; readonly phone_number: string }
  | { readonly type: 'assistant_update'; readonly call_id: string }
  | { readonly type: 'unseen_update' | 'employees_update' | 'contacts_update' | 'live_report_update' };

/** Answers `read_ms_ago` of a subscription: whether something has changed since then. */
interface SinceRead {
  readonly type: 'since_read';
  readonly changed: boolean;
}

/** The queries whose changes are announced. */
const ANNOUNCED = [
  queryKeys.inbox,
  queryKeys.unseen,
  queryKeys.activities,
  queryKeys.calls,
  queryKeys.activeCall,
  queryKeys.employees,
];

/** After a change of contacts: by then the inbox knows it, too. */
const INBOX_KNOWS_MS = 1500;

/** The first connection takes less, or what was read before it counts as outdated. */
const CONNECTS_WITHIN_MS = 2000;
/** How long the answer is awaited. */
const ANSWERS_WITHIN_MS = 1000;

/** The delays between attempts to reconnect; the last one repeats. Shorter than the library's. */
const RECONNECT_MS = [500, 1000, 2000, 3000];

const refresh = createRefresher((queryKey) => queryClient.invalidateQueries({ queryKey }));

const isConnected = createStore(true);

/** Keeps the data of the API current while the application is open. */
export function useLiveChannel(): void {
  useEffect(() => {
    const consumer = createConsumer('/cable');
    const createdAt = performance.now();
    let isFirst = true;
    let timer: number | undefined;
    let answerTimer: number | undefined;
    const refreshAnnounced = () => ANNOUNCED.forEach((queryKey) => refresh(queryKey));
    function onAnswer(changed: boolean): void {
      if (answerTimer === undefined) return;
      window.clearTimeout(answerTimer);
      answerTimer = undefined;
      if (changed || performance.now() - createdAt > CONNECTS_WITHIN_MS) refreshAnnounced();
    }
    function reconnect(attempt = 0): void {
      window.clearTimeout(timer);
      const waitMs = RECONNECT_MS[Math.min(attempt, RECONNECT_MS.length - 1)]!;
      // Not all browsers at once, after a restart of the server.
      timer = window.setTimeout(
        () => {
          // The library does not report that the first connection has failed.
          if (attempt > 1) isConnected.set(false);
          consumer.connect();
          reconnect(attempt + 1);
        },
        waitMs * (1 + Math.random()),
      );
    }
    function onOnline(): void {
      // The connection may not have noticed that it was lost.
      refresh([]);
      consumer.connect();
    }
    addEventListener('online', onOnline);
    const subscription = consumer.subscriptions.create('CallsChannel', {
      connected() {
        window.clearTimeout(timer);
        isConnected.set(true);
        // After a lost connection anything may have changed. Changes before the first one were not announced either: `onAnswer`.
        if (!isFirst) refresh([]);
        else answerTimer = window.setTimeout(() => onAnswer(true), ANSWERS_WITHIN_MS);
        isFirst = false;
      },
      disconnected({ willAttemptReconnect = true } = {}) {
        isConnected.set(false);
        window.clearTimeout(timer);
        // The session has ended, or too many windows are open: the next request to the API tells.
        if (willAttemptReconnect) reconnect();
        else refresh([]);
      },
      received: (message: LiveMessage) => apply(message),
    });
    // Everything was read after the document was asked for, which is when `performance.now()` begins.
    const team = consumer.subscriptions.create(
      { channel: 'TeamChannel', read_ms_ago: Math.ceil(createdAt + CONNECTS_WITHIN_MS) },
      {
        received: (message: LiveMessage | SinceRead) =>
          message.type === 'since_read' ? onAnswer(message.changed) : apply(message),
      },
    );
    reconnect();
    return () => {
      removeEventListener('online', onOnline);
      window.clearTimeout(timer);
      window.clearTimeout(answerTimer);
      subscription.unsubscribe();
      team.unsubscribe();
      consumer.disconnect();
    };
  }, []);
}

/** True while changes are announced. */
export const useIsLive = isConnected.useValue;

function apply(message: LiveMessage): void {
  if (message.type === 'employees_update') return refresh(queryKeys.employees);
  if (message.type === 'contacts_update') return contactsChanged();
  if (message.type === 'live_report_update') return refresh(queryKeys.liveReport);
  if (message.type === 'assistant_update') return refresh(queryKeys.assistantSession(message.call_id));
  refresh(queryKeys.inbox);
  if (message.type === 'thread_update') return refresh(queryKeys.activity(message.phone_number));
  refresh(queryKeys.unseen);
  if (message.type === 'sms_update') refresh(queryKeys.activity(message.phone_number));
  else {
    refresh(queryKeys.activities);
    refresh(queryKeys.calls);
    refresh(queryKeys.activeCall);
  }
}

let contactsTimer: number | undefined;

/** Names are shown in threads and calls as well. However fast contacts change, as during an import, they are read rarely. */
function contactsChanged(): void {
  if (contactsTimer !== undefined) return;
  refreshContacts();
  contactsTimer = window.setTimeout(() => {
    contactsTimer = undefined;
    refreshContacts();
  }, INBOX_KNOWS_MS);
}

function refreshContacts(): void {
  for (const queryKey of [queryKeys.shownContact, queryKeys.callerContexts, queryKeys.inbox]) refresh(queryKey);
  // A list that is being read does not move; it is read again when it is opened.
  void queryClient.invalidateQueries({ queryKey: queryKeys.contacts, refetchType: 'none' });
}
