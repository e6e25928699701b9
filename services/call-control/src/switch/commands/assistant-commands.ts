import type { AssistantSessions } from '../../clients/assistant-client.ts';
import type { Calls } from '../../calls/store/call-store.ts';
import type { Transcriptions } from '../../transcripts/start-transcriptions.ts';
import { currentCall, type Handlers, UNORDERED, untilConfirmed, withoutResult } from './command-handler.ts';

export interface AssistantCommandDeps {
  readonly calls: Calls;
  readonly sessions: Pick<AssistantSessions, 'reserve' | 'update'>;
  readonly transcriptions: Pick<Transcriptions, 'order'>;
}

/** The session of a call, at the service assistant. Nothing at the switch waits for it. */
export function assistantCommands({
  calls,
  sessions,
  transcriptions,
}: AssistantCommandDeps): Handlers<'reserve_assistant' | 'update_assistant' | 'store_session'> {
  return {
    reserve_assistant: untilConfirmed<'reserve_assistant'>(async ({ attempt }, context) => {
      const call = await currentCall(calls, context);
      const isWanted = call?.phase.kind === 'assisted' && call.phase.attempt === attempt;
      const reservation = isWanted ? await sessions.reserve(call, attempt) : { refused: 'failed' as const };
      return { kind: 'reserve_assistant', reservation };
    }, UNORDERED),
    /** In the order of the updates: the session ignores one that is older than another one it got. */
    update_assistant: untilConfirmed<'update_assistant'>(async (_command, context) => {
      const { sessionId = null, updates = [] } = (await currentCall(calls, context))?.assistant ?? {};
      let confirmed = 0;
      for (const { sequence, update } of sessionId === null ? [] : updates) {
        await sessions.update(sessionId!, sequence, update);
        confirmed = sequence;
      }
      return { kind: 'update_assistant', confirmed };
    }, UNORDERED),
    store_session: withoutResult<'store_session'>(async (_command, context) => {
      const { id: callId, companyId, assistant } = (await currentCall(calls, context)) ?? {};
      if (callId === undefined || companyId === undefined || !assistant?.sessionId) return;
      await transcriptions.order({ id: assistant.sessionId, companyId, callId, kind: 'session', durationMs: 0 });
    }, UNORDERED),
  };
}
