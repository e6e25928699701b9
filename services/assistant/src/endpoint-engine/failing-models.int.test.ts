import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { converseWith, patience } from '../../test/converse.ts';
import {
  breaksAfter,
  delta,
  events,
  hangs,
  type ModelBehaviour,
  respondsWith,
  speaks,
  type ModelServer,
  startModelServer,
} from '../../test/model-server.ts';
import { toldOf } from './conversation.ts';

let server: ModelServer;
const { converse, close } = converseWith(() => server);
beforeEach(async () => {
  server = await startModelServer();
});
afterEach(async () => {
  await close();
  await server?.close();
});

const messagesOf = (request: number) =>
  server.asked[request]!.body.messages as { role: string; content: string | null }[];

describe('a model that is slow or down', () => {
  it('a model that is slow lets the caller hear that it takes a moment, once', async () => {
    server.answers(async (response, asked) => {
      await new Promise((resolve) => setTimeout(resolve, 300));
      return speaks('We are here.')(response, asked);
    });
    const caller = converse({ patience: { ...patience, fillerMs: 100, sentenceFillerMs: 200 } });
    await caller.hear('Hi');
    await caller.hear('Ho');
    expect(caller.log).toEqual([
      'caller: Hi',
      '[filler]',
      'endpoint: One moment, please.',
      'endpoint: We are here.',
      'caller: Ho',
      '[filler]',
      'endpoint: Just a moment, please.',
      'endpoint: We are here.',
    ]);
  });

  it('a model that is slow to end its first sentence lets the caller hear that it takes a moment', async () => {
    const tokens = ['A', ' repair', ' takes', ' two', ' days.', ' '];
    server.answers(async (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const content of tokens) {
        response.write(delta({ content }));
        await new Promise((resolve) => setTimeout(resolve, 60));
      }
      response.end(delta({}, 'stop'));
    });
    const caller = converse({ patience: { ...patience, fillerMs: 100, sentenceFillerMs: 150 } });
    await caller.hear('Hi');
    expect(caller.log.slice(1)).toEqual([
      '[filler]',
      'endpoint: One moment, please.',
      'endpoint: A repair takes two days.',
    ]);
  });

  it('a model that takes longer than a caller waits is replaced in time', async () => {
    server.answers(hangs);
    const caller = converse({ patience: { ...patience, fillerMs: 100, firstTokenMs: 300 } });
    const before = performance.now();
    await caller.hear('Hi');
    expect(performance.now() - before).toBeLessThan(1500);
    expect(caller.log).toEqual([
      'caller: Hi',
      '[filler]',
      'endpoint: One moment, please.',
      '[endpoint_failed timeout]',
      'embedded: Embedded: Hi',
    ]);
    expect(caller.noted).toEqual(['failed timeout']);
  });

  it('a model that trickles without a sentence is replaced in time', async () => {
    server.answers(async (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      while (!response.destroyed) {
        response.write(delta({ content: 'word ' }));
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    });
    const caller = converse({ patience: { ...patience, firstSentenceMs: 400 } });
    await caller.hear('Hi');
    expect(caller.log.slice(-2)).toEqual(['[endpoint_failed timeout]', 'embedded: Embedded: Hi']);
  });

  const failures: [string, ModelBehaviour, string][] = [
    ['answers with an error', respondsWith(500), 'invalid_answer'],
    ['refuses the key', respondsWith(401), 'unauthorized'],
    ['says nothing', speaks(''), 'empty_answer'],
    ['says nothing but formatting', speaks('** ** 🎉'), 'empty_answer'],
    ['ends without saying so', events(delta({ content: 'We are open from' })), 'broken_stream'],
    ['sends nonsense', speaks('<|im_start|>assistant'), 'nonsense'],
    ['sends JSON', speaks('{"name": "transfer_call", "arguments": {}}'), 'nonsense'],
    ['sends one endless sentence', speaks('and so on '.repeat(100)), 'too_long'],
    [
      'stops in the middle of its first sentence',
      events(delta({ content: 'We are open from' }), delta({}, 'length')),
      'too_long',
    ],
    ['is no model', respondsWith(200, '<html>'), 'invalid_answer'],
  ];
  it.each(failures)('a model that %s is replaced for this turn', async (_what, behaviour, reason) => {
    server.answers(behaviour, speaks('Here I am.'));
    const caller = converse();
    await caller.hear('Hi');
    expect(caller.log).toEqual(['caller: Hi', `[endpoint_failed ${reason}]`, 'embedded: Embedded: Hi']);
    expect(caller.noted).toEqual([`failed ${reason}`]);
    caller.log.length = 0;
    expect((await caller.hear('Ho')).engine).toBe('endpoint');
    expect(caller.log).toEqual(['caller: Ho', 'endpoint: Here I am.']);
    // The model is told what was said instead of its own words.
    expect(messagesOf(1).slice(1)).toEqual([
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Embedded: Hi' },
      { role: 'user', content: 'Ho' },
    ]);
  });

  it('a model that breaks off drops the sentence it has begun, and the embedded engine goes on', async () => {
    server.answers(breaksAfter(delta({ content: 'A repair takes two days. It costs' })));
    const caller = converse();
    await caller.hear('Hi');
    expect(caller.log).toEqual([
      'caller: Hi',
      'endpoint: A repair takes two days.',
      '[endpoint_failed broken_stream]',
      'embedded: Embedded: Hi',
    ]);
    expect(caller.state.conversation).toEqual([
      { by: 'caller', text: 'Hi' },
      { by: 'assistant', text: 'A repair takes two days. Embedded: Hi' },
    ]);
    expect(toldOf(caller.state.lastSaid)).toBe('A repair takes two days. Embedded: Hi');
  });

  it('a model that fails two turns in a row is not asked again in this session', async () => {
    server.answers(
      respondsWith(500),
      speaks('Here I am.'),
      respondsWith(500),
      respondsWith(500),
      speaks('Here again.'),
    );
    const caller = converse();
    for (const text of ['One', 'Two', 'Three', 'Four']) await caller.hear(text);
    expect(caller.log.filter((line) => line.startsWith('['))).toEqual([
      '[endpoint_failed invalid_answer]',
      '[endpoint_failed invalid_answer]',
      '[endpoint_failed invalid_answer]',
      '[engine_changed embedded]',
    ]);
    expect((await caller.hear('Five')).engine).toBe('embedded');
    expect(server.asked).toHaveLength(4);
    expect(caller.log.slice(-2)).toEqual(['caller: Five', 'embedded: Embedded: Five']);
  });

  it('a model that is left alone for a while is asked again when it answers again', async () => {
    server.answers(speaks('Here I am.'));
    let isThere = true;
    const address = { source: 'company', url: server.url, model: 'small', apiKey: null } as const;
    const caller = converse({ model: { inUse: async () => (isThere ? address : undefined) } });
    for (const [text, there] of [
      ['One', true],
      ['Two', false],
      ['Three', false],
      ['Four', true],
    ] as const) {
      isThere = there;
      await caller.hear(text);
    }
    expect(caller.log.filter((line) => line.startsWith('['))).toEqual([
      '[engine_changed embedded]',
      '[engine_changed endpoint]',
    ]);
  });

  it('a model whose settings cannot be read is replaced by the embedded engine', async () => {
    const caller = converse({ model: { inUse: () => Promise.reject(new Error('no database')) } });
    expect((await caller.hear('Hi')).engine).toBe('embedded');
    expect(caller.log.at(-1)).toBe('embedded: Embedded: Hi');
    expect(caller.noted).toEqual(['error no database']);
  });
});
