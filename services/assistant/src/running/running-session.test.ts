import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { FRAME_SAMPLES, PlayoutQueue } from '@parley/sip';
import type { ListenRequestSchema, ListenResponse } from '@parley/proto/speech/v1/speech_pb';
import type { MessageInitShape } from '@bufbuild/protobuf';
import type { EmbeddedEngine, Heard } from '../engine/engine.ts';
import type { LoadedFacts } from '../facts/loaded-facts.ts';
import { emptyContent } from '../sessions/session-content.ts';
import type { SessionItem } from '../sessions/session-item.ts';
import type { SessionUpdate } from '../sessions/session-update.ts';
import { initialTurnTaking, takeTurns } from '../turn-taking/take-turns.ts';
import { turnWords } from '../turn-taking/turn-words.ts';
import { ItemLog } from './item-log.ts';
import { RunningSession, type RunningSessionDeps } from './running-session.ts';

type Request = MessageInitShape<typeof ListenRequestSchema>['request'];

/** A stream of the speech service, whose events the test sends. */
interface Stream {
  readonly requests: Request[];
  send(response: Partial<ListenResponse['response']>): Promise<void>;
  fail(): void;
}

let streams: Stream[];
let heard: Heard[];
let updates: SessionUpdate[];
let done: string[];
let items: Map<number, SessionItem>;
let sessions: RunningSession[];

beforeEach(() => {
  [streams, heard, updates, done, items, sessions] = [[], [], [], [], new Map(), []];
});
afterEach(() => Promise.all(sessions.map((session) => session.end())));

const settle = async () => {
  for (let turns = 0; turns < 30; turns += 1) await new Promise(setImmediate);
};

function listen(requests: AsyncIterable<MessageInitShape<typeof ListenRequestSchema>>, signal: AbortSignal) {
  const waiting: (IteratorResult<ListenResponse> | Error)[] = [];
  let wake: () => void = () => undefined;
  const stream: Stream = {
    requests: [],
    async send(response) {
      waiting.push({ done: false, value: { response } as ListenResponse });
      wake();
      await settle();
    },
    fail() {
      waiting.push(new Error('the engine was killed'));
      wake();
    },
  };
  streams.push(stream);
  signal.addEventListener('abort', () => wake());
  void (async () => {
    for await (const { request } of requests) stream.requests.push(request);
  })();
  return (async function* () {
    while (!signal.aborted) {
      const next = waiting.shift();
      if (next instanceof Error) throw next;
      if (next) yield next.value as ListenResponse;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  })();
}

async function openSession() {
  const playout = new PlayoutQueue((clip) => session.onPlayed(clip));
  const engine = {
    createState: () => null,
    decideTurn: () => ({ state: null }),
    outcomeIfLeft: () => 'abandoned',
    whisper: () => 'Jane calls.',
  } as unknown as EmbeddedEngine<unknown>;
  let turnTaking = initialTurnTaking;
  const deps: Partial<RunningSessionDeps> = {
    call: { playout, hangUp: () => void done.push('hung up') },
    listen,
    companyId: 'com_1',
    language: 'en',
    attempt: 1,
    maxDurationSecs: 600,
    connectedAt: () => null,
    turnTaking: {
      step(event) {
        const { state, decisions } = takeTurns({ words: turnWords('en'), silenceMs: 7000 }, turnTaking, event);
        turnTaking = state;
        return decisions;
      },
    },
    save: async () => undefined,
    readUpdates: async () => updates,
    engine,
    answer: async (_state, _facts, now) => {
      heard.push(now);
      return { state: null, action: null, expects: 'anything', understood: true, unanswered: null, engine: 'embedded' };
    },
    audio: async function* () {
      yield new Int16Array(8000);
    },
    items: new ItemLog(
      0,
      async ({ sequence, item }) => void items.set(sequence, item),
      () => undefined,
    ),
    work: {
      runFallback: async (reason: string) => void done.push(`fallback ${reason}`),
      report: async () => undefined,
    } as unknown as RunningSessionDeps['work'],
    loadFacts: async () =>
      ({ facts: { caller: { name: null } }, destinations: new Map(), contactId: null }) as unknown as LoadedFacts,
    clock: { now: () => new Date() },
    log: { warn: () => undefined } as unknown as RunningSessionDeps['log'],
    content: emptyContent,
    sessionId: 'ses_1',
    engineInUse: 'embedded',
    noteUse: () => undefined,
    noteUnanswered: () => undefined,
    prepareAudio: () => undefined,
    filler: () => ({ text: 'One moment.', key: null, sources: [], interruptible: true }),
  };
  const session: RunningSession = new RunningSession(deps as RunningSessionDeps);
  sessions.push(session);
  const play = async (ms: number) => {
    for (let at = 0; at < ms; at += 20) session.onAudio(new Int16Array(FRAME_SAMPLES));
    await settle();
  };
  updates = [{ sequence: 1, kind: 'connected', attempt: 1, at: new Date() }];
  session.readUpdates();
  await settle();
  return { session, play };
}

const words = () => heard.flatMap((one) => (one.kind === 'words' ? [one.text] : []));
const recognized = (startMs: number, endMs: number, text: string) =>
  ({ case: 'recognized', value: { startMs, endMs, text } }) as Partial<ListenResponse['response']>;
const paused = (atMs: number) => ({ case: 'paused', value: { atMs } }) as Partial<ListenResponse['response']>;
const began = (atMs: number) => ({ case: 'began', value: { atMs } }) as Partial<ListenResponse['response']>;

it('the engines are loaded before caller and assistant are connected', async () => {
  await openSession();
  expect(streams).toHaveLength(1);
  expect(heard).toEqual([{ kind: 'begin' }]);
});

it('words that were recognised before the last turn was taken are not heard again', async () => {
  const { play } = await openSession();
  const [stream] = streams;
  await play(400);
  await stream!.send(began(400));
  await play(800);
  await stream!.send(paused(1000));
  await stream!.send(recognized(400, 1000, 'Where can I park?'));
  await play(800);
  expect(words()).toEqual(['Where can I park?']);
  expect(stream!.requests).toContainEqual({ case: 'taken', value: { untilMs: 1000 } });
  await stream!.send(began(2000));
  await play(600);
  await stream!.send(paused(2400));
  await stream!.send(recognized(400, 2400, 'Where can I park? And'));
  await play(2000);
  expect(words()).toEqual(['Where can I park?']);
  await stream!.send(recognized(2000, 2400, 'And today?'));
  await play(2000);
  expect(words()).toEqual(['Where can I park?', 'And today?']);
});

it('noise is no part of what is said next', async () => {
  const { play } = await openSession();
  const [stream] = streams;
  await play(400);
  await stream!.send(began(200));
  await stream!.send(paused(400));
  await stream!.send(recognized(200, 400, ''));
  await play(100);
  expect(stream!.requests).toContainEqual({ case: 'taken', value: { untilMs: 400 } });
});

it('a stream that fails is opened again, and what was being said is lost', async () => {
  const { play } = await openSession();
  await play(400);
  await streams[0]!.send(began(400));
  streams[0]!.fail();
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(streams).toHaveLength(2);
  await streams[1]!.send({ case: 'ready', value: {} } as Partial<ListenResponse['response']>);
  await play(400);
  await streams[1]!.send(began(200));
  await streams[1]!.send(paused(400));
  await streams[1]!.send(recognized(200, 400, 'Hello?'));
  await play(1000);
  expect(words()).toEqual(['Hello?']);
  expect(done).toEqual([]);
});
