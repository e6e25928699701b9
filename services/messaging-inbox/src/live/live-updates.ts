import type { Broker } from '@parley/events';

/** Tells open dashboards what to read again; it never has the content itself. */
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
