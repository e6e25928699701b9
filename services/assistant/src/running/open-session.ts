import type { SipCall } from '@parley/sip';
import { notFound, Refused } from '@parley/errors';
import { AssistantTextService } from '@parley/proto/messaging_inbox/v1/assistant_texts_pb';
import type { SpeechService } from '@parley/proto/speech/v1/speech_pb';
import type { RpcClient } from '@parley/rpc';
import { filler } from '../endpoint-engine/session-engine.ts';
import type { ActionResult } from '../engine/engine.ts';
import type { FactsLoader } from '../facts/session-facts.ts';
import type { TextVectors } from '../facts/text-vectors.ts';
import type { ServiceContext } from '../service-context.ts';
import type { SessionItems } from '../sessions/item-store.ts';
import { type Reservation, saveProgress, type Session } from '../sessions/session.ts';
import type { LiveSessions } from '../sessions/live-sessions.ts';
import type { SessionSeals } from '../sessions/session-content.ts';
import type { Sessions } from '../sessions/session-store.ts';
import type { SessionUpdate } from '../sessions/session-update.ts';
import type { SessionParts } from './session-parts.ts';
import { callControlWork, type SendText } from './call-control-work.ts';
import { ItemLog } from './item-log.ts';
import { RunningSession } from './running-session.ts';
import type { SpokenTexts, Voice } from './sentence-audio.ts';

export interface OpenSessionDeps {
  readonly context: ServiceContext;
  readonly parts: SessionParts;
  readonly sessions: Sessions;
  readonly items: SessionItems;
  readonly seals: SessionSeals;
  readonly facts: FactsLoader;
  readonly vectors: TextVectors;
  readonly spoken: SpokenTexts;
  readonly speech: RpcClient<typeof SpeechService>;
  readonly live: LiveSessions;
}

/** As long as the longest session, with its transfers. */
const LISTENING_MS_MAX = 2 * 3600_000;
const TEXT_MS_MAX = 5000;
const TEXT_RESULTS: readonly string[] = ['sent', 'not_possible', 'failed'] satisfies ActionResult[];

/** Reads what a session needs, so that its call can be answered. */
export async function prepareSession(
  deps: OpenSessionDeps,
  session: Session,
): Promise<(call: SipCall) => RunningSession> {
  const { context, parts, spoken, items } = deps;
  const { companyId } = session;
  // What an earlier process has stored since the state that this one continues with.
  if (session.reservation.attempt > 1) await items.removeAfter(companyId, session.id, session.itemCount);
  const assistant = await parts.assistantOf(companyId, session.assistantId);
  if (!assistant) throw new Refused(notFound);
  const voice: Voice = { companyId, language: session.language, voice: assistant.voice ?? '' };
  const { facts } = await deps.facts.load(session);
  const fixed = parts.engine.fixedSentences(session.language).map(({ text }) => text);
  const likely = parts.engine.likelySentences(facts);
  // Their audio is made beforehand.
  spoken.allow([...fixed, ...facts.knowledge.entries.map(({ answer }) => answer), ...likely]);
  void parts.phrases
    .prepareLikely(voice, assistant.id, likely)
    .catch((error: unknown) => context.telemetry.log.warn({ err: error }, 'sentences not made beforehand'));
  return (call) => openSession(deps, session, voice, call, parts.turnTakingOf(assistant));
}

function openSession(
  deps: OpenSessionDeps,
  session: Session,
  voice: Voice,
  call: SipCall,
  turnTaking: ReturnType<SessionParts['turnTakingOf']>,
): RunningSession {
  const { context, parts, sessions, items, seals, facts, vectors, spoken, speech, live } = deps;
  const { clock, peers, telemetry } = context;
  const { id, companyId, businessNumberId } = session;
  const { attempt } = session.reservation;
  const log = telemetry.log;
  /** As it was stored last. */
  let stored = session;
  const isCurrent = ({ reservation }: Session) => reservation.attempt === attempt;
  const embed = (text: string) => vectors.ofWords(companyId, text);
  return new RunningSession({
    call,
    sessionId: id,
    companyId,
    language: session.language,
    attempt,
    maxDurationSecs: session.maxDurationSecs,
    engine: parts.engine,
    engineInUse: session.engine,
    answer: parts.answerOf(session, embed),
    audio: spoken.of(voice),
    items: new ItemLog(
      session.itemCount,
      async (item) => {
        const read = await sessions.of(companyId).get(id);
        // This process was frozen, and another one has taken its place.
        if (!read || !isCurrent(read)) return;
        await items.save(companyId, id, attempt, item);
        live.changed(session);
      },
      (error) => log.warn({ err: error, session: id }, 'an item of a session was not stored'),
    ),
    work: callControlWork(peers.callControl, session, textSender(context)),
    loadFacts: () => facts.load({ companyId, assistantId: session.assistantId, businessNumberId, from: session.from }),
    clock,
    log,
    content: seals.openContent(session),
    turnTaking,
    listen: (requests, signal) => speech.listen(requests, { timeoutMs: LISTENING_MS_MAX, signal }),
    connectedAt: () => stored.connectedAt,
    async readUpdates(): Promise<readonly SessionUpdate[]> {
      const read = await sessions.of(companyId).get(id);
      if (!read || !isCurrent(read)) return [endedElsewhere(stored.reservation)];
      stored = read;
      return read.updates;
    },
    async save({ content, usage, ...progress }, appliedUpdate) {
      stored = await sessions.of(companyId).change(id, (current) =>
        saveProgress(current, {
          ...progress,
          attempt,
          appliedUpdate,
          model: current.model,
          usage,
          hasMessage: content.message !== null,
          sealed: seals.sealContent(id, content),
        }),
      );
      live.changed(session);
    },
    prepareAudio: (texts) => {
      spoken.prepare(voice, texts).catch((error: unknown) => log.warn({ err: error }, 'sentences not made beforehand'));
    },
    filler: (times) => filler(session.language, times),
    noteUse: (entryIds) => {
      if (entryIds.length > 0)
        parts.noteUse(companyId, entryIds).catch((error: unknown) => log.warn({ err: error }, 'use not counted'));
    },
    noteUnanswered: (text) => {
      if (session.keepTranscript)
        parts.addUnanswered(session, text).catch((error: unknown) => log.warn({ err: error }, 'question not stored'));
    },
  });
}

/** Another process continues the session: this one leaves it. */
function endedElsewhere({ expiresAt }: Reservation): SessionUpdate {
  return { sequence: Number.MAX_SAFE_INTEGER, kind: 'ended', outcome: 'failed', at: expiresAt };
}

function textSender({ peers }: ServiceContext): SendText {
  const texts = peers.messagingInbox.client(AssistantTextService);
  return async ({ id: sessionId, companyId, businessNumberId, from: to }, { actionId, text }) => {
    const request = { companyId, businessNumberId, to, text, sessionId, actionId };
    const { result } = await texts.sendAssistantText(request, { timeoutMs: TEXT_MS_MAX });
    return TEXT_RESULTS.includes(result) ? (result as ActionResult) : 'failed';
  };
}
