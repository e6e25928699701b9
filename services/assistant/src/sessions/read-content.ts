import { setTimeout as sleep } from 'node:timers/promises';
import type { MessageInitShape } from '@bufbuild/protobuf';
import type { TranscriptionSegmentSchema } from '@parley/proto/call_control/v1/calls_pb';
import type { NumberedItem, SessionItems } from './item-store.ts';
import type { Session } from './session.ts';
import type { SessionContent, SessionSeals } from './session-content.ts';
import type { Sessions } from './session-store.ts';

type Segment = MessageInitShape<typeof TranscriptionSegmentSchema>;

/** What was said in sessions. */
export type SessionContents = ReturnType<typeof sessionContents>;

/** The process that held the session writes its summary sooner; a crashed one is replaced later. */
const WAIT_MS_MAX = 3000;
const POLL_MS = 50;
const ITEMS_MAX = 2000;

export function sessionContents({
  sessions,
  items,
  seals,
}: {
  readonly sessions: Sessions;
  readonly items: SessionItems;
  readonly seals: SessionSeals;
}) {
  return {
    open: (session: Session): SessionContent => seals.openContent(session),
    /** Waits a moment for a session that has ended; undefined for an unknown one. */
    async whenComplete(id: string, signal?: AbortSignal) {
      const until = performance.now() + WAIT_MS_MAX;
      let session = await sessions.acrossCompanies.get(id);
      while (session?.state === 'ended' && !session.isComplete && performance.now() < until && !signal?.aborted) {
        await sleep(POLL_MS);
        session = await sessions.acrossCompanies.get(id);
      }
      if (!session) return undefined;
      const list = await items.list(session.companyId, id, 0, ITEMS_MAX);
      return { session, content: seals.openContent(session), segments: segmentsOf(session, list) };
    },
  };
}

/** The turns as a transcript: what was heard of what the assistant said. Empty when they are not kept. */
function segmentsOf(session: Session, items: readonly NumberedItem[]): Segment[] {
  if (!session.keepTranscript) return [];
  const from = (session.connectedAt ?? session.startedAt).getTime();
  const offset = (at: Date) => Math.max(0, at.getTime() - from);
  return items.flatMap(({ item }) => {
    if (item.type !== 'turn') return [];
    const text = item.speaker === 'assistant' ? (item.spoken ?? item.text) : item.text;
    if (text === null || text === '') return [];
    const speaker = item.speaker === 'assistant' ? session.assistantName : session.from;
    return [{ speaker, text, startMs: offset(item.startedAt), endMs: offset(item.endedAt ?? item.startedAt) }];
  });
}
