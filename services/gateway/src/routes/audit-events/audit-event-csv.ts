import type { AuditEvent } from '@parley/proto/reports/v1/audit_events_pb';
import { auditEventJson } from '@parley/public-json';
import type { CsvCell } from '../shared/csv-file.ts';

export const auditCsvColumns = [
  'id',
  'at',
  'type',
  'actor_type',
  'actor_id',
  'actor_name',
  'credential_type',
  'credential_id',
  'credential_name',
  'object_type',
  'object_id',
  'object_name',
  'changes',
  'address',
  'request_id',
] as const;

/** The changes are one cell of JSON. */
export function auditCsvCells(event: AuditEvent): readonly CsvCell[] {
  const { id, at, type, actor, object, changes, address, request_id: requestId } = auditEventJson(event);
  const { credential } = actor;
  return [
    id,
    at,
    type,
    actor.type,
    actor.id,
    actor.name,
    credential?.type,
    credential?.id,
    credential?.name,
    object.type,
    object.id,
    object.name,
    JSON.stringify(changes),
    address,
    requestId,
  ];
}
