import { create } from '@bufbuild/protobuf';
import { auditEventOf, auditEventToProto, eventTypeNames } from '@parley/events';
import { AuditEventSchema } from '@parley/proto/reports/v1/audit_events_pb';
import { auditEventJson } from '@parley/public-json';
import type { Payload } from './payload.ts';

/** Whatever fact carries an entry of the audit log. Delivering one changes nothing that has an entry, so that none follows from it. */
export const auditPayloads: readonly Payload[] = eventTypeNames.map((fact) => ({
  fact,
  event: 'audit.created',
  isOf: ({ audit }) => audit !== undefined,
  async data(event) {
    const entry = auditEventOf(event);
    return entry ? { audit_event: auditEventJson(create(AuditEventSchema, auditEventToProto(entry))) } : null;
  },
}));
