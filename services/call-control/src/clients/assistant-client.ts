import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { unlessNotFound } from '@parley/errors';
import { AssistantEngine as ProtoEngine } from '@parley/proto/assistant/v1/assistants_pb';
import {
  type GetSessionContentResponse,
  SessionControlService,
  type UpdateSessionRequestSchema,
} from '@parley/proto/assistant/v1/session_control_pb';
import { type Channel, Unavailable } from '@parley/rpc';
import type { Logger } from '@parley/telemetry';
import { FALLBACK_REASONS, type FallbackReason, type SessionUpdate } from '../calls/model/call-assistant.ts';
import { employeesOf } from '../calls/model/call-flow.ts';
import type { Call } from '../calls/model/call.ts';
import type { Reservation } from '../calls/model/call-command.ts';
import type { TranscriptSegment } from '../calls/model/transcript.ts';

/** Requests to the service assistant about the sessions of calls. */
export type AssistantSessions = ReturnType<typeof assistantSessions>;

/** What was said in a session. */
export interface SessionContent {
  readonly isComplete: boolean;
  readonly summary: string;
  /** In order; times count from the start of the session. Empty when they are not kept. */
  readonly segments: readonly TranscriptSegment[];
  readonly startedAt: Date;
}

/**
 * The caller waits in silence, and the process that is asked may be the one that was lost: the next request goes to another one. Repeated,
 * it has one effect.
 */
const TIMEOUT_MS = { first: 700, second: 1300 };
/** Longer than it takes until what was said in a session that has just ended is complete. */
const CONTENT_TIMEOUT_MS = 5000;

export function assistantSessions(channel: Channel, log: Logger) {
  const service = channel.client(SessionControlService);
  return {
    /** A place for the audio of a session; or why there is none, in which case the caller goes on without. */
    async reserve(call: Call, attempt: number): Promise<Reservation | { readonly refused: FallbackReason }> {
      const { phase } = call;
      if (phase.kind !== 'assisted') return { refused: 'failed' };
      try {
        const request = {
          callId: call.id,
          companyId: call.companyId,
          assistantId: phase.flow.assistantId,
          attempt,
          from: call.from,
          businessNumberId: call.number.id,
          fallbackEmployeeIds: [...employeesOf(phase.flow.fallback)],
          startedAt: timestampFromDate(call.startedAt),
        };
        const { result } = await tried((timeoutMs) => service.reserveSession(request, { timeoutMs }));
        if (result.case !== 'reservation') return { refused: reasonOf(result.value) };
        const { sessionId, address, assistantName, engine } = result.value;
        return {
          sessionId,
          address,
          assistantName,
          engine: engine === ProtoEngine.ENDPOINT ? 'endpoint' : 'embedded',
        };
      } catch (error) {
        log.warn({ err: error }, 'an assistant could not be reached');
        return { refused: 'failed' };
      }
    },
    /** Also for a session that does not exist any more. */
    async update(sessionId: string, sequence: number, update: SessionUpdate): Promise<void> {
      const request = { sessionId, sequence, update: updateToProto(update) };
      await unlessNotFound(tried((timeoutMs) => service.updateSession(request, { timeoutMs })));
    },
    /** Undefined for a session that does not exist any more. */
    async content(sessionId: string): Promise<SessionContent | undefined> {
      const asked = service.getSessionContent({ sessionId }, { timeoutMs: CONTENT_TIMEOUT_MS });
      const content: GetSessionContentResponse | undefined = await unlessNotFound(asked);
      return (
        content && {
          isComplete: content.complete,
          summary: content.summary,
          startedAt: content.startedAt ? timestampDate(content.startedAt) : new Date(0),
          segments: content.segments.map(({ speaker, text, employeeId, startMs, endMs }) => ({
            speaker,
            text,
            employeeId: employeeId ?? null,
            startMs,
            endMs,
          })),
        }
      );
    },
  };
}

async function tried<Result>(request: (timeoutMs: number) => Promise<Result>): Promise<Result> {
  try {
    return await request(TIMEOUT_MS.first);
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    return request(TIMEOUT_MS.second);
  }
}

/** What a newer version of the service says counts as a failure. */
export function reasonOf(written: string | undefined): FallbackReason {
  return FALLBACK_REASONS.find((reason) => reason === written) ?? 'failed';
}

function updateToProto(update: SessionUpdate): MessageInitShape<typeof UpdateSessionRequestSchema>['update'] {
  switch (update.kind) {
    case 'connected':
      return { case: 'connected', value: { attempt: update.attempt } };
    case 'transfer_answered': {
      const employee = update.employee ?? undefined;
      const answered = { case: 'answered' as const, value: { ...(employee && { employee: { ...employee } }) } };
      return { case: 'transfer', value: { actionId: update.actionId, update: answered } };
    }
    case 'transfer_ended':
      return {
        case: 'transfer',
        value: { actionId: update.actionId, update: { case: 'result', value: update.result } },
      };
    case 'takeover_requested':
      return { case: 'takeoverRequested', value: { ...update.employee } };
    case 'ended': {
      const { outcome, fallbackReason, at } = update;
      const reason = fallbackReason === null ? {} : { fallbackReason };
      return { case: 'ended', value: { outcome, ...reason, at: timestampFromDate(at) } };
    }
  }
}
