import type { Broker } from '@parley/events';

const UPDATE = JSON.stringify({ type: 'event_log_update' });

/** Tells live connections that there is more to read. One that is lost delays them until they look again. */
export function announceEvents(broker: Broker): (companyId: string) => void {
  return (companyId) => {
    if (broker.connected()) broker.connection.publish(broker.subject(`live.${companyId}`), UPDATE);
  };
}
