import { auditEventOf, type Event, type EventHandlers, eventTypeNames } from '@parley/events';
import { storedAuditEvent } from './audit-event.ts';
import type { AuditEvents } from './audit-event-store.ts';

/** Stores an entry for every event that carries one, whatever its type. */
export function auditFollower(auditEvents: AuditEvents) {
  const store = async (_message: unknown, event: Event) => {
    const entry = auditEventOf(event);
    if (entry) await auditEvents.add(storedAuditEvent(entry));
  };
  const handlers: EventHandlers = Object.fromEntries(eventTypeNames.map((type) => [type, store]));
  return {
    name: 'reports-audit',
    handlers,
    relevant: async (events: readonly Event[]) => events.map(({ audit }) => audit !== undefined),
  };
}
