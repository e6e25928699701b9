import { type Broker, decodeEvent } from '@parley/events';

/** What changed, by the events that tell it. Like all updates of the live channel they only say what to read again. */
const UPDATES: Readonly<Record<string, string>> = {
  'call-control.employee_status.*': JSON.stringify({ type: 'employees_update' }),
  'directory.employee.*': JSON.stringify({ type: 'employees_update' }),
  'directory.contact.*': JSON.stringify({ type: 'contacts_update' }),
};

/**
 * Reports changes of employees and contacts while this gateway runs. An event that was missed is no loss: a client reads everything when
 * it connects. Answers how to stop.
 */
export function followTeam(broker: Broker, onUpdate: (companyId: string, update: string) => void): () => void {
  const subscriptions = Object.entries(UPDATES).map(([type, update]) =>
    broker.connection.subscribe(broker.eventPattern(type), {
      callback: (error, message) => {
        const companyId = error ? undefined : companyOf(message.data);
        if (companyId !== undefined) onUpdate(companyId, update);
      },
    }),
  );
  return () => subscriptions.forEach((subscription) => subscription.unsubscribe());
}

/** Undefined for what cannot be read: an error in a callback would end the connection. */
function companyOf(data: Uint8Array): string | undefined {
  try {
    return decodeEvent(data).companyId;
  } catch {
    return undefined;
  }
}
