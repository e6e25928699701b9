import type { Clock } from '@parley/clock';
import { createInFreeSlot } from '@parley/aggregates';
import { decided, notFound, refusal, Refused } from '@parley/errors';
import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { type ReserveSessionRequest, SessionControlService } from '@parley/proto/assistant/v1/session_control_pb';
import { type RpcServer, services } from '@parley/rpc';
import { derivedId, newId } from '@parley/secrets';
import { type RefusalReason, refuseSession, type SessionLimits } from './admission.ts';
import type { EngineInUse } from '../engine/answer.ts';
import type { Processes } from './process-store.ts';
import type { SessionContents } from './read-content.ts';
import { addUpdate, continueSession, reserve, type Session } from './session.ts';
import { emptyContent, type SessionSeals } from './session-content.ts';
import { engineToProto, messageToProto } from './session-proto.ts';
import type { Sessions } from './session-store.ts';
import { updateFromProto } from './session-update.ts';
import { monthOf, type SessionUsages } from './usage-store.ts';

/** What a new session takes from its assistant. */
export interface AssistantOfSession {
  readonly name: string;
  readonly language: string;
  readonly active: boolean;
  readonly keepTranscript: boolean;
  readonly maxDurationSecs: number;
}

export interface SessionControlDeps {
  readonly sessions: Sessions;
  readonly seals: SessionSeals;
  readonly usages: SessionUsages;
  readonly processes: Pick<Processes, 'place'>;
  readonly contents: SessionContents;
  readonly assistantOf: (companyId: string, id: string) => Promise<AssistantOfSession | undefined>;
  readonly engineOf: (companyId: string, assistantId: string) => Promise<{ engine: EngineInUse; model: string | null }>;
  readonly limitsOf: (companyId: string) => Promise<SessionLimits>;
  /** An update was stored: whoever holds the session reads it. */
  readonly announce: (sessionId: string) => void;
  /** Derives the ids of sessions from calls. */
  readonly idKey: Uint8Array;
  readonly clock: Clock;
}

const DAY_MS = 24 * 3600 * 1000;
/** As in calls of hidden numbers. */
const ANONYMOUS = 'anonymous';
const full = refusal('too_many_calls', 'all sessions of the company are in use');

export function addSessionControlService(server: RpcServer, deps: SessionControlDeps): void {
  server.add(SessionControlService, services('call-control'), {
    async reserveSession(request) {
      const result = await reserveSession(deps, request);
      if (typeof result === 'string') return { result: { case: 'refused', value: result } };
      const { id: sessionId, assistantName, engine, reservation } = result;
      const reserved = { sessionId, address: reservation.address, assistantName, engine: engineToProto(engine) };
      return { result: { case: 'reservation', value: reserved } };
    },
    async updateSession(request) {
      const { sessions, clock, announce } = deps;
      const update = updateFromProto(request, clock.now());
      if (!update) return {};
      // A service has no company; the id of a session follows from a secret and its call.
      const changed = await sessions.acrossCompanies.changeIfExists(request.sessionId, (session) =>
        addUpdate(session, update),
      );
      if (!changed) throw new Refused(notFound);
      announce(request.sessionId);
      return {};
    },
    async getSessionContent({ sessionId }, { signal }) {
      const found = await deps.contents.whenComplete(sessionId, signal);
      if (!found) throw new Refused(notFound);
      const { session, content, segments } = found;
      return {
        complete: session.isComplete,
        summary: content.summary ?? '',
        segments,
        startedAt: timestampFromDate(session.connectedAt ?? session.startedAt),
        language: session.language,
        ...(content.message && { message: messageToProto(content.message) }),
      };
    },
  });
}

/** The session with its reservation, or why there is none. */
async function reserveSession(
  deps: SessionControlDeps,
  request: ReserveSessionRequest,
): Promise<Session | RefusalReason> {
  const { companyId, callId, assistantId } = request;
  const { sessions, clock } = deps;
  const id = derivedId('ses', deps.idKey, `${companyId}/${callId}`);
  const known = await sessions.of(companyId).get(id);
  const attempt = Math.max(1, request.attempt);
  // The same request again, or one whose answer was lost.
  if (known && known.reservation.attempt >= attempt) return known.state === 'ended' ? 'failed' : known;
  const place = await deps.processes.place(known?.reservation.processId);
  if (!place) return 'capacity';
  const now = clock.now();
  const reservation = newReservation({ ...place, attempt }, now);
  if (known) {
    if (known.state === 'ended') return 'failed';
    return sessions.of(companyId).change(id, (session) => continueSession(session, reservation));
  }
  const assistant = await deps.assistantOf(companyId, assistantId);
  const limits = await deps.limitsOf(companyId);
  const why = refuseSession({
    isActive: assistant?.active ?? false,
    limits,
    seconds: limits.monthlyMinutes === null ? 0 : (await deps.usages.of(companyId, monthOf(now))).seconds,
    sessionsOfCaller: await sessionsOfCaller(deps, request, now),
  });
  if (why || !assistant) return why ?? 'inactive';
  const { engine, model } = await deps.engineOf(companyId, assistantId);
  const session: Omit<Session, 'slot'> = {
    id,
    companyId,
    callId,
    assistantId,
    assistantName: assistant.name,
    businessNumberId: request.businessNumberId,
    from: request.from,
    fallbackEmployeeIds: request.fallbackEmployeeIds,
    language: assistant.language,
    keepTranscript: assistant.keepTranscript,
    maxDurationSecs: assistant.maxDurationSecs,
    engine,
    model,
    state: 'talking',
    outcome: null,
    fallbackReason: null,
    startedAt: request.startedAt ? timestampDate(request.startedAt) : now,
    connectedAt: null,
    endedAt: null,
    reservation,
    updates: [],
    lastUpdate: 0,
    itemCount: 0,
    usage: { turns: 0, inputTokens: 0, outputTokens: 0, costMicros: null },
    isFlushed: false,
    isComplete: false,
    hasMessage: false,
    hasContent: true,
    sealed: deps.seals.sealContent(id, emptyContent),
  };
  const max = limits.simultaneousSessions;
  try {
    return await createInFreeSlot(
      sessions.of(companyId),
      { among: { slot: { $exists: true } }, field: 'slot', max, full },
      (slot) => decided({ ...session, slot }),
    );
  } catch (error) {
    if (error instanceof Refused && error.refusal === full) return 'capacity';
    // Another replica was asked the same at the same time.
    const created = await sessions.of(companyId).get(id);
    if (created) return created;
    throw error;
  }
}

function newReservation(place: { processId: string; address: string; attempt: number }, now: Date) {
  const id = newId('res').replace('_', '');
  return reserve(id, { ...place, address: `sip:${id}@${place.address}` }, now);
}

async function sessionsOfCaller(
  { sessions }: SessionControlDeps,
  { companyId, from }: ReserveSessionRequest,
  now: Date,
): Promise<number> {
  if (from === ANONYMOUS) return 0;
  const since = new Date(now.getTime() - DAY_MS);
  return sessions.of(companyId).count(20, { from, startedAt: { $gt: since } });
}
