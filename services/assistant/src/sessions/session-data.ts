import { type ErasureStep, type ExportPerson, jsonFile, type RetentionStep } from '@parley/personal-data';
import type { SessionItems } from './item-store.ts';
import { removeContent, type Session } from './session.ts';
import { emptyContent, type SessionSeals } from './session-content.ts';
import type { Sessions } from './session-store.ts';
import { decided } from '@parley/errors';

interface SessionDataDeps {
  readonly sessions: Sessions;
  readonly items: SessionItems;
  readonly seals: SessionSeals;
}

const PORTION = 20;
const ITEMS_MAX = 2000;
const OLDEST_FIRST = { startedAt: 1 } as const;

async function removeSession({ sessions, items }: SessionDataDeps, { id, companyId }: Session): Promise<void> {
  await items.removeAll(companyId, id);
  await sessions.of(companyId).changeIfExists(id, () => decided(null));
}

/** The sessions of a person; one that goes on is removed once it has ended. */
export function sessionErasure(deps: SessionDataDeps): ErasureStep {
  return {
    name: 'sessions',
    async erase({ companyId, phoneNumber, before }) {
      const filter = { from: phoneNumber, startedAt: { $lte: before } };
      const found = await Array.fromAsync(deps.sessions.of(companyId).find(filter, OLDEST_FIRST, PORTION));
      const over = found.filter(({ isComplete }) => isComplete);
      for (const session of over) await removeSession(deps, session);
      if (found.length > over.length) return { removed: over.length, next: '', isWaiting: over.length === 0 };
      return { removed: over.length, next: found.length < PORTION ? undefined : '' };
    },
  };
}

/** What was said is kept as long as transcripts, the rest as long as calls. A session in progress is always kept. */
export function sessionRetention(deps: SessionDataDeps): RetentionStep[] {
  const { sessions, items, seals } = deps;
  return [
    {
      name: 'sessions',
      async erase({ companyId, cutoffs: { calls: until } }) {
        if (!until) return { removed: 0 };
        const filter = { startedAt: { $lte: until } };
        const found = await Array.fromAsync(sessions.of(companyId).find(filter, OLDEST_FIRST, PORTION));
        const over = found.filter(({ isComplete }) => isComplete);
        for (const session of over) await removeSession(deps, session);
        return { removed: over.length, next: over.length < PORTION ? undefined : '' };
      },
    },
    {
      name: 'session_texts',
      async erase({ companyId, cutoffs: { transcripts: until } }) {
        if (!until) return { removed: 0 };
        const filter = { hasContent: true as const, startedAt: { $lte: until } };
        const found = await Array.fromAsync(sessions.of(companyId).find(filter, OLDEST_FIRST, PORTION, 'with_content'));
        const over = found.filter(({ isComplete }) => isComplete);
        for (const { id } of over) {
          await items.removeContent(companyId, id);
          const emptied = seals.sealContent(id, emptyContent);
          await sessions.of(companyId).changeIfExists(id, (session) => removeContent(session, emptied));
        }
        return { removed: over.length, next: over.length < PORTION ? undefined : '' };
      },
    },
  ];
}

/** The part `assistant` of what is stored of a person. */
export function sessionExport({ sessions, items, seals }: SessionDataDeps): ExportPerson {
  return async function* ({ companyId, phoneNumber, before }) {
    yield jsonFile('assistant/sessions.json', exported());

    async function* exported() {
      const filter = { from: phoneNumber, startedAt: { $lte: before } };
      for await (const session of sessions.of(companyId).find(filter, OLDEST_FIRST)) {
        const { callerName, message, summary } = seals.openContent(session);
        const list = await items.list(companyId, session.id, 0, ITEMS_MAX);
        yield {
          id: session.id,
          call_id: session.callId,
          assistant: { id: session.assistantId, name: session.assistantName },
          started_at: session.startedAt.toISOString(),
          ended_at: session.endedAt?.toISOString() ?? null,
          outcome: session.outcome,
          caller_name: callerName,
          message,
          summary,
          items: list.map(({ sequence, item }) => ({ sequence, ...item })),
        };
      }
    }
  };
}
