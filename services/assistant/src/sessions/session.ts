import { decided, type Decision, refusal, Refused, refused } from '@parley/errors';
import type { EngineInUse } from '../engine/answer.ts';
import { type Outcome, OUTCOMES_AT_END } from './outcome.ts';
import type { SessionUpdate } from './session-update.ts';

/** Where the audio of a session is expected: one process, for a short time, once. */
export interface Reservation {
  /** The user part of the address that the switch dials. */
  readonly id: string;
  /** From 1; each further one continues the session after its audio was lost. */
  readonly attempt: number;
  readonly processId: string;
  /** `sip:<id>@<host>:<port>`. */
  readonly address: string;
  readonly expiresAt: Date;
  readonly isUsed: boolean;
}

/** What a session has used. */
export interface Usage {
  readonly turns: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Millionths of the currency; null without prices. */
  readonly costMicros: number | null;
}

export function withTokens(
  usage: Usage,
  {
    input,
    output,
    costMicros,
  }: { readonly input: number; readonly output: number; readonly costMicros: number | null },
): Usage {
  return {
    ...usage,
    inputTokens: usage.inputTokens + input,
    outputTokens: usage.outputTokens + output,
    costMicros: costMicros === null ? usage.costMicros : (usage.costMicros ?? 0) + costMicros,
  };
}

/** One conversation between a caller and an assistant; a call has at most one. What was said is in `sealed` and in its items. */
export interface Session {
  readonly id: string;
  readonly companyId: string;
  readonly callId: string;
  readonly assistantId: string;
  readonly assistantName: string;
  readonly businessNumberId: string;
  /** E.164, or `anonymous`. */
  readonly from: string;
  readonly fallbackEmployeeIds: readonly string[];
  readonly language: string;
  readonly keepTranscript: boolean;
  readonly maxDurationSecs: number;
  readonly engine: EngineInUse;
  /** Null for the embedded engine. */
  readonly model: string | null;
  readonly state: 'talking' | 'transferring' | 'ended';
  readonly outcome: Outcome | null;
  readonly fallbackReason: string | null;
  /** When the call came to the assistant. */
  readonly startedAt: Date;
  /** When caller and assistant were first connected; null before. */
  readonly connectedAt: Date | null;
  readonly endedAt: Date | null;
  readonly reservation: Reservation;
  /** What call-control has told, and the running session has not applied yet. */
  readonly updates: readonly SessionUpdate[];
  /** The sequence of the last update of call-control. */
  readonly lastUpdate: number;
  readonly itemCount: number;
  readonly usage: Usage;
  /** The process that holds the audio has stored all it had. */
  readonly isFlushed: boolean;
  /** Items, message and summary do not change any more. */
  readonly isComplete: boolean;
  /** A place among the open sessions of the company; absent once it has ended. */
  readonly slot?: number;
  /** Absent once what was said was removed. */
  readonly hasContent?: true;
  /** Whether a message was taken, which `sealed` has. */
  readonly hasMessage: boolean;
  /** Encrypted: see `SessionContent`. */
  readonly sealed: string;
}

export type SessionEventType =
  | 'assistant.session.started'
  | 'assistant.session.message_taken'
  | 'assistant.session.ended';

/** A fact about a session, with the session as it was then. */
export interface SessionEvent {
  readonly type: SessionEventType;
  readonly session: Session;
}

/** Writes the summary of a session that is over, counts it, and removes what is not kept. */
export interface FinishSession {
  readonly kind: 'finish';
}

export type SessionDecision = Decision<Session, SessionEvent, FinishSession>;

/** A reservation is usable for this long. */
const RESERVED_MS = 30_000;
/** Updates that wait to be applied; call-control sends far fewer. */
const UPDATES_MAX = 50;

const ended = refusal('conflict', 'the session has ended');
const outdated = refusal('conflict', 'the session is continued elsewhere');

/** Whoever holds the audio of the session has nothing to do with it any more. */
export const isOutdated = (error: unknown): boolean => error instanceof Refused && error.refusal === outdated;

export function reserve(
  id: string,
  place: Pick<Reservation, 'attempt' | 'processId' | 'address'>,
  now: Date,
): Reservation {
  return { id, ...place, expiresAt: new Date(now.getTime() + RESERVED_MS), isUsed: false };
}

/** The audio was lost: the session is continued in another place. An attempt that was reserved before keeps its place. */
export function continueSession(session: Session, reservation: Reservation): SessionDecision {
  if (session.state === 'ended') return refused(ended);
  if (session.reservation.attempt >= reservation.attempt) return decided(session);
  return decided({ ...session, reservation });
}

/** The switch has dialled the reservation: it is used up. */
export function takeReservation(
  session: Session,
  processId: string,
  reservationId: string,
  now: Date,
): SessionDecision {
  const { reservation } = session;
  const isUsable =
    session.state !== 'ended' &&
    reservation.id === reservationId &&
    reservation.processId === processId &&
    !reservation.isUsed &&
    reservation.expiresAt > now;
  if (!isUsable) return refused(outdated);
  return decided({ ...session, reservation: { ...reservation, isUsed: true } });
}

/** Stores what call-control tells; what was told before, or later already, is ignored. */
export function addUpdate(session: Session, update: SessionUpdate): SessionDecision {
  if (update.sequence <= session.lastUpdate || session.state === 'ended') return decided(session);
  const next: Session = {
    ...session,
    lastUpdate: update.sequence,
    updates: [...session.updates, update].slice(-UPDATES_MAX),
  };
  if (update.kind === 'connected' && !session.connectedAt) {
    const started = { ...next, connectedAt: update.at };
    return decided(started, [{ type: 'assistant.session.started', session: started }]);
  }
  if (update.kind !== 'ended') return decided(next);
  const { slot: _freed, ...rest } = next;
  const over: Session = {
    ...rest,
    state: 'ended',
    outcome: OUTCOMES_AT_END.includes(update.outcome as Outcome) ? (update.outcome as Outcome) : 'failed',
    fallbackReason: update.fallbackReason ?? null,
    endedAt: update.at,
  };
  return decided(over, [], { commands: [{ kind: 'finish' }] });
}

/** What the running session has done since it was stored last. */
export interface Progress {
  readonly attempt: number;
  readonly appliedUpdate: number;
  readonly itemCount: number;
  readonly engine: EngineInUse;
  readonly model: string | null;
  readonly usage: Usage;
  readonly state: 'talking' | 'transferring';
  readonly sealed: string;
  readonly hasMessage: boolean;
  /** Nothing follows: the session is over. */
  readonly isFlushed: boolean;
}

/** Stores the progress of the running session, which another process may have taken over meanwhile. */
export function saveProgress(
  session: Session,
  { attempt, appliedUpdate, state, ...progress }: Progress,
): SessionDecision {
  if (session.reservation.attempt !== attempt || session.isComplete) return refused(outdated);
  const next: Session = {
    ...session,
    ...progress,
    state: session.state === 'ended' ? 'ended' : state,
    updates: session.updates.filter(({ sequence }) => sequence > appliedUpdate),
  };
  const isTaken = next.hasMessage && !session.hasMessage;
  return decided(next, isTaken ? [{ type: 'assistant.session.message_taken', session: next }] : []);
}

/** Nothing is added to the session any more: its summary is written. */
export function completeSession(session: Session, sealed: string): SessionDecision {
  if (session.state !== 'ended' || session.isComplete) return decided(session);
  const complete: Session = { ...session, sealed, isComplete: true, updates: [] };
  return decided(complete, [{ type: 'assistant.session.ended', session: complete }]);
}

/** The duration of a session so far. */
export function secondsOf({ startedAt, connectedAt, endedAt }: Session, now: Date): number {
  const from = connectedAt ?? startedAt;
  return Math.max(0, Math.round(((endedAt ?? now).getTime() - from.getTime()) / 1000));
}

/** Nothing that was said is kept any longer; what was done is. */
export function removeContent(session: Session, emptied: string): SessionDecision {
  const { hasContent: _removed, ...rest } = session;
  return decided({ ...rest, sealed: emptied });
}
