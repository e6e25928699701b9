import type { RpcServer } from '@parley/rpc';
import type { StatefulService } from '@parley/service';
import { signedCursors } from '@parley/aggregates';
import { addAuditEventService } from './audit-event-rpcs.ts';
import { openAuditEvents } from './audit-event-store.ts';
import { auditFollower } from './follow-audit-events.ts';

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
  const cursors = signedCursors(encryptionKeys, 'parley audit cursors');
  return (server) => addAuditEventService(server, { auditEvents, cursors });
}
