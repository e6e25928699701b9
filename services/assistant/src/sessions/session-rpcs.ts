import type { Clock } from '@parley/clock';
import { invalid, notFound, Refused } from '@parley/errors';
import { SessionContentService } from '@parley/proto/assistant/v1/session_control_pb';
import type { RpcServer } from '@parley/rpc';
import { services } from '@parley/rpc';
import type { SessionItems } from './item-store.ts';
import type { SessionContents } from './read-content.ts';
import { itemToProto, sessionToProto } from './session-proto.ts';
import type { Sessions } from './session-store.ts';

export interface SessionReadDeps {
  readonly sessions: Sessions;
  readonly items: SessionItems;
  readonly contents: SessionContents;
  readonly clock: Clock;
}

const PAGE_MAX = 100;

/** The session of a call, with a page of its items. */
export async function readSession(
  { sessions, items, contents, clock }: SessionReadDeps,
  companyId: string,
  { callId, limit, cursor }: { readonly callId: string; readonly limit: number; readonly cursor: string },
) {
  const session = await sessions.of(companyId).findOne({ callId });
  if (!session) throw new Refused(notFound);
  const after = sequenceFrom(cursor);
  const size = Math.min(Math.max(limit, 1), PAGE_MAX);
  const found = await items.list(companyId, session.id, after, size + 1);
  const page = found.slice(0, size);
  const last = page.at(-1);
  return {
    session: sessionToProto(session, clock.now(), contents.open(session)),
    items: page.map(itemToProto),
    ...(found.length > size && last && { nextCursor: String(last.sequence) }),
  };
}

/** Cursors contain no more than a page does. */
function sequenceFrom(cursor: string): number {
  if (cursor === '') return 0;
  if (!/^\d{1,6}$/.test(cursor)) throw new Refused(invalid({ cursor: ['is invalid'] }));
  return Number(cursor);
}

/** What other services show or search. */
export function addSessionContentService(server: RpcServer, { sessions, contents, clock }: SessionReadDeps): void {
  server.add(SessionContentService, services('call-control', 'messaging-inbox', 'webhooks', 'identity'), {
    async listSessionContents({ companyId, callIds }) {
      const filter = { callId: { $in: callIds.slice(0, PAGE_MAX) } };
      const found = await Array.fromAsync(sessions.of(companyId).find(filter, { callId: 1 }, PAGE_MAX));
      return { sessions: found.map((session) => sessionToProto(session, clock.now(), contents.open(session))) };
    },
  });
}
