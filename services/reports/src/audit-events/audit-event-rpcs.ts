import { timestampDate } from '@bufbuild/protobuf/wkt';
import { invalid, Refused } from '@parley/errors';
import { auditEventToProto } from '@parley/events';
import { type AuditEventFilter, AuditEventService } from '@parley/proto/reports/v1/audit_events_pb';
import { employees, type RpcServer } from '@parley/rpc';
import type { SignedTokens } from '@parley/secrets';
import { entryOf, type StoredAuditEvent } from './audit-event.ts';
import type { AuditEvents, AuditPosition, AuditQuery } from './audit-event-store.ts';

export interface AuditEventDeps {
  readonly auditEvents: AuditEvents;
  readonly cursors: SignedTokens;
}

const LIMIT_DEFAULT = 50;
const LIMIT_MAX = 100;

export function addAuditEventService(server: RpcServer, { auditEvents, cursors }: AuditEventDeps): void {
  server.add(AuditEventService, employees.withRole('admin'), {
    async listAuditEvents({ filter, limit: requested, cursor }, { principal: { companyId } }) {
      const query = queryFrom(filter);
      const scope = ['audit_events', companyId, query];
      const after = cursor === '' ? undefined : (cursors.open(cursor, scope) as AuditPosition | undefined);
      if (cursor !== '' && !after) throw new Refused(invalid({ cursor: ['is invalid'] }));
      const limit = Math.min(Math.max(requested || LIMIT_DEFAULT, 1), LIMIT_MAX);
      // One more than requested, to detect whether there is a next page.
      const found = await auditEvents.page(companyId, query, after, limit + 1);
      const page = found.slice(0, limit);
      const last = page.at(-1);
      const nextCursor = last && found.length > limit ? cursors.seal([last.at.getTime(), last.id], scope) : '';
      return { auditEvents: page.map(toProto), nextCursor };
    },
    async *streamAuditEvents({ filter }, { principal: { companyId } }) {
      for await (const chunk of auditEvents.chunks(companyId, queryFrom(filter)))
        yield { auditEvents: chunk.map(toProto) };
    },
  });
}

function queryFrom(filter: AuditEventFilter | undefined): AuditQuery {
  return {
    actorId: filter?.actorId,
    objectId: filter?.objectId,
    type: filter?.type,
    from: filter?.from && timestampDate(filter.from),
    to: filter?.to && timestampDate(filter.to),
  };
}

const toProto = (event: StoredAuditEvent) => auditEventToProto({ ...event, entry: entryOf(event) });
