import type { RpcServer } from '@parley/rpc';
import type { StatefulService } from '@parley/service';
import { signedTokens } from '@parley/secrets';
import { addAuditEventService } from './audit-event-rpcs.ts';
import { openAuditEvents, type AuditEvents } from './audit-event-store.ts';
import { auditEventOf, type Event, type EventHandlers, eventTypeNames } from '@parley/events';
import { storedAuditEvent } from './audit-event.ts';

/** Opens the audit log, follows the events that carry its entries, and returns what adds its RPCs. */
export async function startAuditLog(
  service: Pick<
    StatefulService<never, boolean>,
    'clock' | 'backgroundWork' | 'telemetry' | 'db' | 'stopLater' | 'follow'
  >,
  encryptionKeys: readonly string[],
): Promise<(server: RpcServer) => void> {
  const { clock, backgroundWork, telemetry, db } = service;
  const auditEvents = await openAuditEvents(db);
  service.stopLater('audit log', auditEvents.startExpiry({ clock, backgroundWork, log: telemetry.log }));
  await service.follow(auditFollower(auditEvents));
  const cursors = signedTokens(encryptionKeys, 'parley audit cursors');
  return (server) => addAuditEventService(server, { auditEvents, cursors });
}

/** Stores an entry for every event that carries one, whatever its type. */
function auditFollower(auditEvents: AuditEvents) {
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
