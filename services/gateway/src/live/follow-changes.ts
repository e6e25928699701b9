import { type Broker, decodeEvent } from '@parley/events';

/** Changes of employees and contacts, from their events. Like all updates of the live channel they only name what to read again. */
export const TEAM_UPDATES: Readonly<Record<string, string>> = {
  'call-control.employee_status.*': JSON.stringify({ type: 'employees_update' }),
  'directory.employee.*': JSON.stringify({ type: 'employees_update' }),
  'directory.contact.*': JSON.stringify({ type: 'contacts_update' }),
};

export const LIVE_REPORT_UPDATE = JSON.stringify({ type: 'live_report_update' });

/** Every change of a call's state, of an employee's status and of an employee has an event. */
export const LIVE_REPORT_UPDATES: Readonly<Record<string, string>> = {
  'call-control.call.*': LIVE_REPORT_UPDATE,
  'call-control.employee_status.*': LIVE_REPORT_UPDATE,
  'directory.employee.*': LIVE_REPORT_UPDATE,
};

/**
 * Reports changes while this gateway runs. An event that was missed is no loss: a client reads everything when
 * it connects. Answers how to stop.
 */
export function followChanges(
  broker: Broker,
  updates: Readonly<Record<string, string>>,
  onUpdate: (companyId: string, update: string) => void,
): () => void {
  const subscriptions = Object.entries(updates).map(([type, update]) =>
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
