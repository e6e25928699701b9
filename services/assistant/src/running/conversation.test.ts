import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { Refused } from '@parley/errors';
import { FRAME_SAMPLES, PlayoutQueue } from '@parley/sip';
import type { Action, EmbeddedEngine, Heard, Sentence, Turn } from '../engine/engine.ts';
import type { LoadedFacts } from '../facts/loaded-facts.ts';
import { saveProgress, type Session } from '../sessions/session.ts';
import { emptyContent } from '../sessions/session-content.ts';
import type { SessionItem } from '../sessions/session-item.ts';
import type { AudioEvent } from '../turn-taking/turn-taking.ts';
import { Conversation, type ConversationDeps, type ConversationProgress } from './conversation.ts';
import { ItemLog } from './item-log.ts';
import type { SessionWork } from './session-work.ts';

/** One second of audio a sentence. */
const SECOND = 8000;

const sentence = (text: string, interruptible = true): Sentence => ({ text, key: null, sources: [], interruptible });

const turn = (state: unknown, say: readonly Sentence[], more: Partial<Turn<unknown>> = {}): Turn<unknown> => ({
  state,
  say,
  action: null,
  understood: true,
  expects: 'anything',
  heard: null,
  masked: false,
  unanswered: null,
  ...more,
});

const transfer = {
  id: 'act_1',
  name: 'transfer_call',
  arguments: { target: 'tgt_sales' },
  callerName: 'Jane',
  matter: 'an order',
} satisfies Action;

/** Answers by a script, and remembers what it heard. */
function scriptedEngine(
  script: (heard: Heard, heardBefore: readonly Heard[]) => Partial<Turn<unknown>> & { say: Sentence[] },
) {
  const heard: Heard[] = [];
  const engine = {
    createState: () => [],
    decideTurn(state: unknown, _facts: unknown, now: Heard) {
      heard.push(now);
      if (now.kind === 'interrupted') return turn(state, []);
      const { say, ...more } = script(now, heard);
      return turn([...(state as Heard[]), now], say, { heard: now.kind === 'words' ? now.text : null, ...more });
    },
    outcomeIfLeft: () => 'abandoned',
    whisper: ({ callerName, matter }: Action) => `${callerName} calls about ${matter}.`,
  } as unknown as EmbeddedEngine<unknown>;
  return { engine, heard };
}

function openConversation(options: {
  script: Parameters<typeof scriptedEngine>[0];
  work?: Partial<SessionWork>;
  /** Of a session that another process has begun. */
  content?: ConversationDeps['content'];
  itemCount?: number;
  audio?: ConversationDeps['audio'];
  save?: ConversationDeps['save'];
  /** More of an answer may follow until then. */
  afterSaying?: () => Promise<void>;
}) {
  const { engine, heard } = scriptedEngine(options.script);
  const stored = new Map<number, SessionItem>();
  const saved: ConversationProgress[] = [];
  const events: AudioEvent[] = [];
  const done: string[] = [];
  const prepared: string[] = [];
  let audioMs = 0;
  let isListening = true;
  const facts = {
    facts: { caller: { name: 'Jane', number: '+4520304050' }, knowledge: { entries: [] }, now: new Date() },
    destinations: new Map([['tgt_sales', { name: 'Sales', employeeIds: ['emp_1', 'emp_2'], phoneNumber: null }]]),
    contactId: null,
  } as unknown as LoadedFacts;
  const playout = new PlayoutQueue((clip) => conversation.onPlayed(clip));
  const conversation = new Conversation({
    engine,
    answer: async (state, given, now, { heardAs, say }) => {
      const { say: said, heard: words, masked, ...rest } = engine.decideTurn(state, given, now, { vector: null });
      if (words !== null) heardAs(words, masked);
      for (const each of said) say(each, 'embedded');
      await options.afterSaying?.();
      for (const each of options.afterSaying ? said : []) say(each, 'embedded');
      return { ...rest, engine: 'embedded' };
    },
    playout,
    audio:
      options.audio ??
      async function* () {
        yield new Int16Array(SECOND).fill(1000);
      },
    items: new ItemLog(options.itemCount ?? 0, async ({ sequence, item }) => void stored.set(sequence, item), fail),
    work: {
      startTransfer: async () => void done.push('transfer'),
      finishWhisper: async () => void done.push('whispered'),
      requestCallback: async () => 'queued',
      sendText: async () => 'sent',
      runFallback: async (reason) => void done.push(`fallback ${reason}`),
      endCall: async () => void done.push('end'),
      report: async () => undefined,
      ...options.work,
    },
    loadFacts: async () => facts,
    clock: { now: () => new Date() },
    log: { warn: () => undefined } as unknown as ConversationDeps['log'],
    content: options.content ?? emptyContent,
    sessionId: 'ses_1',
    engineInUse: 'embedded',
    save: options.save ?? (async (progress) => void saved.push(progress)),
    noteUse: () => undefined,
    noteUnanswered: () => undefined,
    prepareAudio: (texts) => void prepared.push(...texts),
    filler: (times) => sentence(`One moment ${times}.`),
    fillerAfterMs: 20,
    audioMs: () => audioMs,
    takeEvent: (event) => void events.push(event),
    stopListening: () => (isListening = false),
  });
  /** Plays frames until there is nothing to do for a while. */
  async function play(ms: number): Promise<void> {
    for (let at = 0; at < ms; at += 20) {
      playout.take(FRAME_SAMPLES);
      audioMs += 20;
      conversation.onFrame();
      if (at % 100 === 0) await new Promise(setImmediate);
    }
    for (let turns = 0; turns < 20; turns += 1) await new Promise(setImmediate);
  }
  const items = () => [...stored.entries()].sort(([a], [b]) => a - b).map(([, item]) => item);
  return { conversation, heard, items, saved, events, done, prepared, play, isListening: () => isListening };
}

function fail(error: unknown): never {
  throw error;
}

const turns = (items: readonly SessionItem[]) =>
  items.flatMap((item) => (item.type === 'turn' ? [[item.speaker, item.text, item.spoken, item.interrupted]] : []));

it('an answer is spoken to its end, and stored with what was heard of it', async () => {
  const session = openConversation({
    script: ({ kind }) => ({ say: [sentence(kind === 'begin' ? 'Hello.' : 'At nine.')] }),
  });
  session.conversation.begin();
  await session.play(1500);
  session.conversation.hear({ kind: 'words', text: 'When do you open?' }, { startedAtMs: 1400, endedAtMs: 1500 });
  await session.play(1500);
  expect(turns(session.items())).toEqual([
    ['assistant', 'Hello.', 'Hello.', false],
    ['caller', 'When do you open?', null, false],
    ['assistant', 'At nine.', 'At nine.', false],
  ]);
  expect(session.items()).toContainEqual(expect.objectContaining({ type: 'event', event: 'disclosed' }));
  expect(session.saved.at(-1)).toMatchObject({ usage: { turns: 1 }, itemCount: 5, isFlushed: false });
});

it('an answer that the caller interrupts is stored as far as it was heard, and the engine is told so before the words', async () => {
  const session = openConversation({
    script: ({ kind }) => ({ say: [sentence(kind === 'begin' ? 'We are open from nine to five.' : 'Yes.')] }),
  });
  session.conversation.begin();
  await session.play(500);
  session.conversation.stopPlayback();
  session.conversation.dropPlayback();
  session.conversation.hear({ kind: 'words', text: 'Sorry?' }, { startedAtMs: 300, endedAtMs: 500 });
  await session.play(1500);
  expect(turns(session.items())[0]).toEqual(['assistant', 'We are open from nine to five.', 'We are open', true]);
  expect(session.heard.map(({ kind }) => kind)).toEqual(['begin', 'interrupted', 'words']);
  expect(session.heard[1]).toMatchObject({ spoken: 'We are open' });
});

it('an answer that is dropped before it is complete is over for the turns, and no further sentence of it begins', async () => {
  let decided: () => void = () => undefined;
  const session = openConversation({
    script: ({ kind }) => ({ say: [sentence(kind === 'begin' ? 'Hello.' : 'We are open from nine to five.')] }),
    afterSaying: () => new Promise((resolve) => (decided = resolve)),
  });
  session.conversation.begin();
  await session.play(500);
  expect(session.events.map(({ kind }) => kind)).toEqual(['playback_began']);
  session.conversation.dropPlayback();
  decided();
  await session.play(1000);
  expect(session.events.map(({ kind }) => kind)).toEqual(['playback_began']);
});

it('a caller hears that they have to wait while the audio of an answer is not there', async () => {
  let made: () => void = () => undefined;
  const session = openConversation({
    script: ({ kind }) => ({ say: [sentence(kind === 'begin' ? 'Hello.' : 'At nine.')] }),
    audio: async function* ({ text }) {
      if (text === 'At nine.') await new Promise<void>((resolve) => (made = resolve));
      yield new Int16Array(SECOND).fill(1000);
    },
  });
  session.conversation.begin();
  await session.play(1500);
  session.conversation.hear({ kind: 'words', text: 'When do you open?' }, { startedAtMs: 1400, endedAtMs: 1500 });
  await sleep(60);
  await session.play(1500);
  made();
  await session.play(1500);
  expect(turns(session.items()).at(-1)).toEqual([
    'assistant',
    'One moment 0. At nine.',
    'One moment 0. At nine.',
    false,
  ]);
  expect(session.items()).toContainEqual(expect.objectContaining({ type: 'event', event: 'filler' }));
});

it('an answer whose audio is there is not preceded by anything', async () => {
  const session = openConversation({ script: () => ({ say: [sentence('At nine.')] }) });
  session.conversation.hear({ kind: 'words', text: 'When do you open?' });
  await session.play(500);
  await sleep(60);
  await session.play(1000);
  expect(turns(session.items()).at(-1)).toEqual(['assistant', 'At nine.', 'At nine.', false]);
});

it('an answer that was stopped by a cough goes on, and is heard whole', async () => {
  const session = openConversation({ script: () => ({ say: [sentence('We are open from nine to five.')] }) });
  session.conversation.begin();
  await session.play(500);
  session.conversation.stopPlayback();
  await session.play(500);
  session.conversation.resumePlayback();
  await session.play(1500);
  expect(turns(session.items())).toEqual([
    ['assistant', 'We are open from nine to five.', 'We are open from nine to five.', false],
  ]);
});

it('somebody is rung once what was said about it was heard, and the result is answered', async () => {
  const session = openConversation({
    script: (heard) =>
      heard.kind === 'words'
        ? { say: [sentence('I am trying Sales.', false)], action: transfer }
        : { say: [sentence(heard.kind === 'action_result' ? `It was ${heard.result}.` : 'Hello.')] },
  });
  session.conversation.begin();
  await session.play(1500);
  session.conversation.hear({ kind: 'words', text: 'Sales please' }, { startedAtMs: 1000, endedAtMs: 1400 });
  await session.play(500);
  expect(session.done).toEqual([]);
  await session.play(800);
  expect(session.done).toEqual(['transfer']);
  expect(session.isListening()).toBe(false);
  expect(session.prepared).toEqual(['It was declined.', 'It was no_answer.']);
  expect(session.saved.at(-1)).toMatchObject({ state: 'transferring' });
  session.conversation.whisper('act_1');
  await session.play(1500);
  expect(session.done).toEqual(['transfer', 'whispered']);
  session.conversation.transferEnded('act_1', 'declined');
  await session.play(1500);
  const action = session.items().find((item) => item.type === 'action');
  expect(action).toMatchObject({
    action: 'transfer_call',
    result: 'declined',
    target: { id: 'tgt_sales', name: 'Sales' },
  });
  expect(turns(session.items()).at(-1)).toEqual(['assistant', 'It was declined.', 'It was declined.', false]);
});

describe('what a caller says while an action is begun', () => {
  const asksTwice = (startTransfer: SessionWork['startTransfer']) => {
    const session = openConversation({
      work: { startTransfer },
      script: (heard) =>
        heard.kind === 'words'
          ? { say: [sentence(`To ${heard.text}.`, false)], action: { ...transfer, id: `act_${heard.text}` } }
          : { say: [sentence(heard.kind === 'action_result' ? heard.result : heard.kind)] },
    });
    session.conversation.hear({ kind: 'words', text: 'Sales' });
    session.conversation.hear({ kind: 'words', text: 'Support' });
    return session;
  };

  it('is neither answered nor stored once somebody rings', async () => {
    let rung = 0;
    const session = asksTwice(async () => void (rung += 1));
    session.conversation.hear({ kind: 'silence' });
    await session.play(4000);
    expect(rung).toBe(1);
    expect(turns(session.items()).map(([, text]) => text)).toEqual(['Sales', 'To Sales.']);
    expect(session.items().filter((item) => item.type === 'action')).toMatchObject([{ result: null }]);
  });

  it('is answered after what became of the action', async () => {
    const session = asksTwice(async () => 'unavailable');
    await session.play(8000);
    expect(turns(session.items()).map(([, text]) => text)).toEqual([
      'Sales',
      'To Sales.',
      'unavailable',
      'Support',
      'To Support.',
      'unavailable',
    ]);
    expect(session.items().filter((item) => item.type === 'action')).toMatchObject([
      { result: 'unavailable' },
      { result: 'unavailable' },
    ]);
  });

  it('does not keep keys from being answered', async () => {
    const session = asksTwice(async () => undefined);
    session.conversation.hear({ kind: 'keys', digits: '0' });
    await session.play(4000);
    expect(turns(session.items()).map(([, text]) => text)).toEqual(['Sales', 'To Sales.', 'keys']);
  });
});

it('a caller is listened to when nobody rings', async () => {
  const session = openConversation({
    work: { startTransfer: async () => 'unavailable' },
    script: (heard) =>
      heard.kind === 'words'
        ? { say: [], action: transfer }
        : { say: [sentence(heard.kind === 'action_result' ? heard.result : 'Hello.')] },
  });
  session.conversation.begin();
  await session.play(1500);
  session.conversation.hear({ kind: 'words', text: 'Sales please' });
  await session.play(1500);
  expect(turns(session.items()).at(-1)).toEqual(['assistant', 'unavailable', 'unavailable', false]);
  expect(session.isListening()).toBe(true);
  expect(session.saved.at(-1)).toMatchObject({ state: 'talking' });
});

describe('a process that continues a session', () => {
  const script: Parameters<typeof scriptedEngine>[0] = (heard) => {
    if (heard.kind === 'words') return { say: [sentence('I am trying Sales.', false)], action: transfer };
    return { say: [sentence(heard.kind === 'action_result' ? `It was ${heard.result}.` : `${heard.kind}.`)] };
  };

  /** A session whose process ends after so much audio, as another process reads it. */
  async function lostAfter(ms: number) {
    const lost = openConversation({ script });
    lost.conversation.begin();
    await lost.play(1500);
    lost.conversation.hear({ kind: 'words', text: 'Sales please' });
    await lost.play(ms);
    const { content, itemCount } = lost.saved.at(-1)!;
    return { script, content: JSON.parse(JSON.stringify(content)) as typeof content, itemCount };
  }

  it('does what was decided, but not begun', async () => {
    const session = openConversation(await lostAfter(500));
    session.conversation.begin();
    await session.play(1500);
    expect(turns(session.items())).toEqual([['assistant', 'resumed.', 'resumed.', false]]);
    expect(session.done).toEqual(['transfer']);
    session.conversation.transferEnded('act_1', 'no_answer');
    await session.play(1500);
    expect(turns(session.items()).at(-1)).toEqual(['assistant', 'It was no_answer.', 'It was no_answer.', false]);
  });

  it('tells the result of what was begun, and stores it with its item', async () => {
    const before = await lostAfter(1500);
    const session = openConversation(before);
    session.conversation.begin();
    session.conversation.transferEnded('act_1', 'declined');
    await session.play(2500);
    expect(session.done).toEqual([]);
    expect(turns(session.items()).map(([, text]) => text)).toEqual(['resumed.', 'It was declined.']);
    expect(session.items()[0]).toMatchObject({
      action: 'transfer_call',
      result: 'declined',
      target: { id: 'tgt_sales', name: 'Sales' },
      startedAt: expect.any(Date),
    });
  });
});

it('a session that another process continues is left without a word or an effect', async () => {
  const elsewhere = saveProgress(
    { reservation: { attempt: 2 } } as Session,
    { attempt: 1 } as Parameters<typeof saveProgress>[1],
  );
  if (elsewhere.ok) throw new Error('the progress was stored');
  const session = openConversation({
    save: () => Promise.reject(new Refused(elsewhere.refusal)),
    script: () => ({ say: [], action: transfer }),
  });
  session.conversation.hear({ kind: 'words', text: 'Sales please' });
  session.conversation.hear({ kind: 'words', text: 'Hello?' });
  await session.play(500);
  expect(session.heard).toHaveLength(1);
  expect(session.done).toEqual([]);
});

it('an action that fails is told to the engine, which says so', async () => {
  const session = openConversation({
    work: { startTransfer: () => Promise.reject(new Error('unreachable')) },
    script: (heard) =>
      heard.kind === 'words'
        ? { say: [], action: transfer }
        : { say: [sentence(heard.kind === 'action_result' ? heard.result : 'Hello.')] },
  });
  session.conversation.begin();
  await session.play(1500);
  session.conversation.hear({ kind: 'words', text: 'Sales please' });
  await session.play(1500);
  expect(turns(session.items()).at(-1)).toEqual(['assistant', 'failed', 'failed', false]);
});

it('a caller whose answer has no audio goes on with the fallback', async () => {
  const session = openConversation({
    script: () => ({ say: [sentence('Hello.')] }),
    // eslint-disable-next-line require-yield
    audio: async function* () {
      throw new Error('no voice');
    },
  });
  session.conversation.begin();
  await session.play(300);
  expect(session.done).toEqual(['fallback speech_unavailable']);
  expect(session.items()).toContainEqual(expect.objectContaining({ event: 'fallback', detail: 'speech_unavailable' }));
});

it('a message is stored before the engine says that it was taken', async () => {
  const take = {
    id: 'act_2',
    name: 'take_message',
    arguments: { text: 'Call me' },
    callerName: 'Jane',
    matter: null,
  } satisfies Action;
  const session = openConversation({
    script: (heard) => (heard.kind === 'words' ? { say: [], action: take } : { say: [sentence(heard.kind)] }),
  });
  session.conversation.begin();
  await session.play(1500);
  session.conversation.hear({ kind: 'words', text: 'Yes' });
  await session.play(1500);
  expect(session.saved.find(({ content }) => content.message)?.content.message).toMatchObject({
    text: 'Call me',
    callerName: 'Jane',
    callbackNumber: '+4520304050',
    callbackRequested: false,
  });
  expect(turns(session.items()).at(-1)).toEqual(['assistant', 'action_result', 'action_result', false]);
});

it('a session that ends stores the rest, and answers nothing any more', async () => {
  const session = openConversation({ script: () => ({ say: [sentence('A long answer.')] }) });
  session.conversation.begin();
  await session.play(300);
  const ended = session.conversation.end();
  await session.play(100);
  await ended;
  session.conversation.hear({ kind: 'words', text: 'Hello?' });
  await session.play(300);
  expect(session.heard.map(({ kind }) => kind)).toEqual(['begin']);
  expect(session.saved.at(-1)).toMatchObject({ isFlushed: true });
  expect(turns(session.items())).toEqual([['assistant', 'A long answer.', 'A', true]]);
});
