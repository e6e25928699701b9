import { cachedAnswers } from '@parley/events';
import { openRollingLimits, startExpirySweep } from '@parley/mongo';
import { SpeechService } from '@parley/proto/speech/v1/speech_pb';
import type { RpcServer } from '@parley/rpc';
import { derivedKey } from '@parley/secrets';
import { startSipEndpoint } from '@parley/sip';
import { factsLoader } from './facts/session-facts.ts';
import { textVectors } from './facts/text-vectors.ts';
import { answerCalls } from './phone/answer-calls.ts';
import { prepareSession } from './running/open-session.ts';
import { spokenTexts } from './running/sentence-audio.ts';
import type { ServiceContext } from './service-context.ts';
import { addSessionService } from './test-sessions/session-service.ts';
import { openTestSessions } from './test-sessions/test-session-store.ts';
import { startFinishing } from './sessions/finish-session.ts';
import { heldSessions } from './phone/held-sessions.ts';
import { liveSessions } from './sessions/live-sessions.ts';
import { openSessionItems } from './sessions/item-store.ts';
import { openProcesses } from './sessions/process-store.ts';
import { sessionContents } from './sessions/read-content.ts';
import { sessionSeals } from './sessions/session-content.ts';
import { addSessionControlService } from './sessions/session-control-rpcs.ts';
import type { SessionParts } from './running/session-parts.ts';
import { sessionMetrics } from './sessions/session-metrics.ts';
import { addSessionContentService } from './sessions/session-rpcs.ts';
import { openSessionSignals } from './sessions/session-signals.ts';
import { openSessions } from './sessions/session-store.ts';
import { addSessionUsageService, openSessionUsages } from './sessions/usage-store.ts';

/** Events after which what is known about a session is read again. */
const ANSWER_EVENTS = [
  'directory.company.*',
  'directory.employee.*',
  'directory.contact.*',
  'numbers-routing.number.*',
  'assistant.assistant.*',
  'assistant.knowledge_entry.*',
];

const LIMITS_EXPIRE_EVERY_MS = 600_000;

export async function startSessions(context: ServiceContext, parts: SessionParts) {
  const { config, db, relay, clock, broker, peers, telemetry, backgroundWork, encryptor, stopLater } = context;
  const seals = sessionSeals(encryptor);
  const sessions = await openSessions(db, relay, clock);
  const items = await openSessionItems(db, seals);
  const usages = await openSessionUsages(db);
  const live = liveSessions(broker);
  const metrics = sessionMetrics(telemetry);
  const contents = sessionContents({ sessions, items, seals });
  const speech = peers.speech.client(SpeechService);
  const vectors = textVectors({ speech, backgroundWork, telemetry });
  const answers = await cachedAnswers(broker, { events: ANSWER_EVENTS, cachedMs: config.PEER_CACHE_MS });
  const facts = factsLoader({
    directory: peers.directory,
    numbersRouting: peers.numbersRouting,
    answers,
    vectors,
    engine: parts.engine,
    assistantOf: parts.assistantOf,
    entriesOf: parts.entriesOf,
    clock,
  });
  const spoken = spokenTexts({ speech, known: parts.phrases.known });
  const held = heldSessions();
  const sessionsMax = config.ASSISTANT_SESSIONS_MAX;
  const processes = await openProcesses({ db, backgroundWork, telemetry, sessionsMax, sessions: () => held.size });
  const signals = openSessionSignals(broker, (id) => held.readUpdates(id));
  stopLater('signals of sessions', signals);
  stopLater(
    'finishing sessions',
    startFinishing({ sessions, items, seals, usages, summarize: parts.summarize, live, metrics, clock }),
  );

  const testSessions = await openTestSessions(db, encryptor, { clock, backgroundWork, log: telemetry.log });
  stopLater('test sessions', testSessions);
  const limits = await openRollingLimits({ db, collection: 'test_turn_limits', clock });
  stopLater(
    'limits of test turns',
    startExpirySweep({ ...limits, everyMs: LIMITS_EXPIRE_EVERY_MS, backgroundWork, log: telemetry.log }),
  );
  const opening = { context, parts, sessions, items, seals, facts, vectors, spoken, speech, live };
  const endpoint = await startSipEndpoint({
    listen: config.ASSISTANT_SIP_LISTEN,
    mediaAddress: config.ASSISTANT_MEDIA_ADDRESS,
    rtpPorts: config.ASSISTANT_RTP_PORTS,
    allowedAddresses: config.ASSISTANT_SWITCH_NETWORKS,
    limits: { calls: 2 * sessionsMax },
    onInvite: answerCalls({
      sessions,
      processId: processes.id,
      held,
      sessionsMax,
      prepare: (session) => prepareSession(opening, session),
      clock,
      telemetry,
    }),
    onError: (error) => telemetry.log.error({ err: error }, 'a call for an assistant was not answered'),
  });
  stopLater('phone', endpoint);
  stopLater('running sessions', held);
  await processes.start(`${config.ASSISTANT_MEDIA_ADDRESS}:${portOf(endpoint.address)}`);
  stopLater('process of sessions', processes);

  return {
    sessions,
    items,
    seals,
    addServices(server: RpcServer): void {
      addSessionControlService(server, {
        sessions,
        seals,
        usages,
        processes,
        contents,
        assistantOf: parts.assistantOf,
        async engineOf(companyId, assistantId) {
          const assistant = await parts.assistantOf(companyId, assistantId);
          return assistant ? parts.engineOf(companyId, assistant) : { engine: 'embedded', model: null };
        },
        limitsOf: async (companyId) => (await facts.companyOf(companyId)).limits,
        announce: signals.announce,
        idKey: derivedKey(config.ENCRYPTION_KEY[0]!, 'parley session ids'),
        clock,
      });
      addSessionUsageService(server, usages);
      addSessionContentService(server, { sessions, items, contents, clock });
      addSessionService(server, {
        sessions,
        items,
        contents,
        parts,
        facts,
        vectors,
        testSessions,
        limits,
        usages,
        clock,
      });
    },
  };
}

const portOf = (address: string): string => address.slice(address.lastIndexOf(':') + 1);
