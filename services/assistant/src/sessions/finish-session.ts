import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '@parley/clock';
import type { RunningCommands } from '@parley/aggregates';
import type { NumberedItem, SessionItems } from './item-store.ts';
import { completeSession, type Session, secondsOf } from './session.ts';
import type { LiveSessions } from './live-sessions.ts';
import type { SessionContent, SessionSeals } from './session-content.ts';
import type { SessionMetrics } from './session-metrics.ts';
import { settledItem } from './settled-item.ts';
import type { Sessions } from './session-store.ts';
import type { SessionUsages } from './usage-store.ts';

/** The process that held the session has stored the rest of it by then, unless it has stopped. */
const FLUSH_MS_MAX = 2500;
const POLL_MS = 50;
const ITEMS_MAX = 2000;

/** Completes sessions that are over; whatever process held them. */
export function startFinishing(deps: {
  readonly sessions: Sessions;
  readonly items: SessionItems;
  readonly seals: SessionSeals;
  readonly usages: SessionUsages;
  readonly summarize: (session: Session, content: SessionContent, items: readonly NumberedItem[]) => string;
  readonly live: LiveSessions;
  readonly metrics: SessionMetrics;
  readonly clock: Clock;
}): RunningCommands {
  const { sessions, items, seals, usages, summarize, live, metrics, clock } = deps;

  async function flushed(companyId: string, id: string): Promise<Session | undefined> {
    const until = performance.now() + FLUSH_MS_MAX;
    for (;;) {
      const session = await sessions.of(companyId).get(id);
      if (!session || session.isFlushed || performance.now() > until) return session;
      await sleep(POLL_MS);
    }
  }

  return sessions.startCommands<{ finish: void }>({
    finish: {
      guarantee: 'until_confirmed',
      async execute(_command, { companyId, aggregateId: id }) {
        const session = await flushed(companyId, id);
        if (!session || session.isComplete) return;
        const content = seals.openContent(session);
        const list: NumberedItem[] = [];
        for (const stored of await items.list(companyId, id, 0, ITEMS_MAX)) {
          const item = settledItem(session, stored.item);
          const settled = { ...stored, item };
          if (item !== stored.item) await items.save(companyId, id, session.reservation.attempt, settled);
          list.push(settled);
        }
        const tokens = session.usage.inputTokens + session.usage.outputTokens;
        const seconds = session.connectedAt ? secondsOf(session, clock.now()) : 0;
        await usages.count(session.endedAt ?? clock.now(), { id, companyId, seconds, tokens });
        const summary = summarize(session, content, list);
        if (!session.keepTranscript) await items.removeTexts(companyId, id);
        const sealed = seals.sealContent(id, { ...content, summary, conversation: null });
        await sessions.of(companyId).changeIfExists(id, (current) => completeSession(current, sealed));
        live.changed(session);
        metrics.ended(session, list);
      },
      needsSettling: () => false,
    },
  });
}
