import { type Broker, decodeEvent, type Event } from '@parley/events';

/** Changes of employees and contacts, from their events. Like all updates of the live channel they only name what to read again. */
export const TEAM_UPDATES: Readonly<Record<string, string>> = {
  'call-control.employee_status.*': JSON.stringify({ type: 'employees_update' }),
  'directory.employee.*': JSON.stringify({ type: 'employees_update' }),
  'directory.contact.*': JSON.stringify({ type: 'contacts_update' }),
};

export const LIVE_REPORT_UPDATE = JSON.stringify({ type: 'live_report_update' });

/** The log of events has new ones. */
export const EVENT_LOG_UPDATE = JSON.stringify({ type: 'event_log_update' });

/** The session of a call with an assistant goes on: many items may change in a second. */
export function isAssistantUpdate(update: string): boolean {
  return update.startsWith('{"type":"assistant_update"');
}

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
  onUpdate: (companyId: string, update: string, changedAt: Date) => void,
): () => void {
  const subscriptions = Object.entries(updates).map(([type, update]) =>
    broker.connection.subscribe(broker.eventPattern(type), {
      callback: (error, message) => {
        const event = error ? undefined : readEvent(message.data);
        if (event) onUpdate(event.companyId, update, event.occurredAt);
      },
    }),
  );
  return () => subscriptions.forEach((subscription) => subscription.unsubscribe());
}

/** Undefined for what cannot be read: an error in a callback would end the connection. */
function readEvent(data: Uint8Array): Event | undefined {
  try {
    return decodeEvent(data);
  } catch {
    return undefined;
  }
}

/** Earlier updates are forgotten: a page that has read longer ago reads again. */
const KEPT_MS = 30_000;

/** When companies had their last update. A page asks whether what it has read before it was connected can be out of date. */
export function recentUpdates(now: () => number = () => performance.now()) {
  /** Oldest first. */
  const updated = new Map<string, number>();
  let knownSince = now();

  function forget(before: number): void {
    for (const [companyId, at] of updated) {
      if (at >= before) return;
      updated.delete(companyId);
    }
  }

  return {
    add(companyId: string): void {
      updated.delete(companyId);
      updated.set(companyId, now());
      forget(now() - KEPT_MS);
    },
    /** Updates may have been missed. */
    reset(): void {
      knownSince = now();
    },
    /** True when a company has had no update in the last milliseconds, and none can have been missed. */
    isQuiet(companyId: string, lastMs: number): boolean {
      const since = now() - lastMs;
      return lastMs < KEPT_MS && since > knownSince && (updated.get(companyId) ?? -Infinity) < since;
    },
  };
}
