import { setTimeout as sleep } from 'node:timers/promises';
import { NotAvailable } from '@parley/aggregates';
import { type Call, hasTranscript } from '../calls/model/call.ts';
import type { CallKey, CallRunner } from '../calls/store/call-runner.ts';
import type { Calls } from '../calls/store/call-store.ts';
import type { AssistantSessions } from '../clients/assistant-client.ts';
import type { Transcript } from '../calls/model/transcript.ts';
import { withPart } from './build-transcript.ts';
import type { Transcripts } from './transcript-store.ts';

/** What was said to assistants, as parts of the transcripts of their calls. */
export type SessionTranscripts = ReturnType<typeof sessionTranscripts>;

/** Longer than it takes until the session knows that it is over, and is complete. */
const WAIT_MS_MAX = 4500;
const POLL_MS = 100;

export function sessionTranscripts({
  calls,
  runner,
  transcripts,
  sessions,
}: {
  readonly calls: Pick<Calls, 'of'>;
  readonly runner: CallRunner;
  readonly transcripts: Transcripts;
  readonly sessions: Pick<AssistantSessions, 'content'>;
}) {
  /** The transcript with the session in it; undefined when there is no session any more. Throws while it is not complete. */
  async function store(call: Call): Promise<Transcript | undefined> {
    const { companyId, id: callId, assistant } = call;
    if (!assistant?.sessionId || call.isContentRemoved) return undefined;
    if (call.isSessionStored) return transcripts.get(companyId, callId);
    const content = await sessions.content(assistant.sessionId);
    if (!content) return undefined;
    if (!content.isComplete) throw new NotAvailable('the session is not complete yet');
    const { segments, startedAt } = content;
    const part = { source: 'session', segments, summary: content.summary || null, startedAt };
    const transcript = await transcripts.change(companyId, callId, (current) => withPart(call, current, part));
    const after = await runner.apply(call, { type: 'session_stored', isKept: segments.length > 0 });
    // It was erased meanwhile: whichever of the two is later removes it.
    if (after && !after.isContentRemoved) return transcript;
    await transcripts.remove(companyId, callId);
    return undefined;
  }

  return {
    store,
    /** The call once its session is stored, if that takes no longer than a moment. */
    async whenStored({ companyId, id }: CallKey, signal?: AbortSignal): Promise<Call | undefined> {
      const until = performance.now() + WAIT_MS_MAX;
      for (;;) {
        const call = await calls.of(companyId).get(id);
        if (!call || call.state !== 'ended' || !call.assistant?.sessionId) return call;
        if (hasTranscript(call) || call.isContentRemoved) return call;
        await store(call).catch(() => undefined);
        if (performance.now() > until || signal?.aborted) return calls.of(companyId).get(id);
        await sleep(POLL_MS);
      }
    },
  };
}
