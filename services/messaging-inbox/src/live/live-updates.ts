import type { Broker } from '@parley/events';

/** What changed, for dashboards that are open: never the content, only where to look again. */
export type LiveUpdate =
  | { readonly type: 'sms_update'; readonly id: string; readonly phone_number: string }
  | { readonly type: 'thread_update'; readonly phone_number: string }
  | { readonly type: 'unseen_update' };

/** Notifies every gateway of changes. A lost update is no permanent error: clients read again when they reconnect. */
export interface LiveUpdates {
  publish(companyId: string, update: LiveUpdate): void;
}

export function liveUpdates(broker: Broker): LiveUpdates {
  return {
    publish(companyId, update) {
      if (broker.connected()) broker.connection.publish(broker.subject(`live.${companyId}`), JSON.stringify(update));
    },
  };
}
