import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { Actor, AuditEntry } from '@parley/actor';
import type { AuditEventSchema } from '@parley/proto/reports/v1/audit_events_pb';
import { type Event, actorToProto, auditToProto } from './envelope.ts';

/** The audit log's record of an event. */
export interface AuditEvent {
  readonly id: string;
  readonly companyId: string;
  readonly at: Date;
  readonly actor: Actor;
  readonly entry: AuditEntry<string>;
}

/** The entry that an event carries; undefined when it carries none, or belongs to no company. */
export function auditEventOf({ id, type, companyId, occurredAt, actor, audit }: Event): AuditEvent | undefined {
  if (!audit || companyId === '') return undefined;
  const service = type.slice(0, type.indexOf('.'));
  return {
    // An event has one entry: applied twice, it is the same one.
    id: id.replace(/^evt_/, 'aud_'),
    companyId,
    at: occurredAt,
    actor: actor ?? { type: 'system', id: service, name: service },
    entry: audit,
  };
}

export function auditEventToProto(event: Omit<AuditEvent, 'companyId'>): MessageInitShape<typeof AuditEventSchema> {
  const { id, at, actor, entry } = event;
  return { id, at: timestampFromDate(at), actor: actorToProto(actor), entry: auditToProto(entry) };
}
