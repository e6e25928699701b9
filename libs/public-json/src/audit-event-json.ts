import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { AuditEvent } from '@parley/proto/reports/v1/audit_events_pb';
import { z } from 'zod';

const actorTypes = ['employee', 'app', 'operator', 'system'] as const;
const credentialTypes = ['api_key', 'oauth_token', 'session', 'operator'] as const;

/** An entry of the audit log, as admins see it. */
export const auditEventSchema = z
  .object({
    id: z.string(),
    at: z.string(),
    type: z.string().describe('`<object>.<verb>`, such as `employee.role_changed`'),
    actor: z.object({
      type: z.enum(actorTypes).describe('`app`: an OAuth token that acts for the employee'),
      id: z.string().nullable().describe('The employee’s id; of `system` the service; null for the operator'),
      name: z.string().nullable(),
      credential: z
        .object({ type: z.enum(credentialTypes), id: z.string().nullable(), name: z.string().nullable() })
        .nullable()
        .describe('Null for the system itself'),
    }),
    object: z.object({ type: z.string(), id: z.string().nullable(), name: z.string().nullable() }),
    changes: z
      .record(z.string(), z.object({ from: z.unknown(), to: z.unknown() }))
      .describe('By field; `(set)` stands for a value that the log does not contain, such as a prompt'),
    address: z.string().nullable().describe('The client’s network address'),
    request_id: z.string().nullable(),
  })
  .meta({ id: 'AuditEvent' });

type AuditEventJson = z.output<typeof auditEventSchema>;

export function auditEventJson({ id, at, actor, entry }: AuditEvent): AuditEventJson {
  if (!at || !actor || !entry) throw new Error('an incomplete audit event');
  const credential = {
    type: z.enum(credentialTypes).catch('operator').parse(actor.credentialType),
    id: actor.credentialId || null,
    name: actor.credentialName || null,
  };
  return {
    id,
    at: timestampDate(at).toISOString(),
    type: entry.type,
    actor: {
      type: z.enum(actorTypes).catch('system').parse(actor.type),
      id: actor.id || null,
      name: actor.name || null,
      credential: actor.credentialType === '' ? null : credential,
    },
    object: { type: entry.objectType, id: entry.objectId || null, name: entry.objectName || null },
    changes: Object.fromEntries(
      entry.changes.map(({ field, from, to }) => [field, { from: JSON.parse(from), to: JSON.parse(to) }]),
    ),
    address: actor.address || null,
    request_id: actor.requestId || null,
  };
}
