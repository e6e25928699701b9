import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { waitUntil } from '@parley/testkit';
import { converseWith } from '../../test/converse.ts';
import { begins, delta, speaks, type ModelServer, startModelServer } from '../../test/model-server.ts';

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

describe('a turn that a model answers', () => {
  it('a turn that a model answers is said sentence by sentence, and noted', async () => {
    server.answers(speaks('A repair takes two days. It costs forty-five euros. Shall I connect you?'));
    const caller = converse();
    const turn = await caller.hear('How long is a repair?');
    expect(caller.log).toEqual([
      'caller: How long is a repair?',
      'endpoint: A repair takes two days.',
      'endpoint: It costs forty-five euros.',
      'endpoint: Shall I connect you?',
    ]);
    expect(turn).toMatchObject({
      engine: 'endpoint',
      action: null,
      understood: true,
      expects: 'yes_no',
      unanswered: null,
    });
    expect(caller.embedded()).toEqual([
      'replied How long is a repair? -> A repair takes two days. It costs forty-five euros. Shall I connect you?',
    ]);
    expect(caller.noted).toEqual(['answered']);
    expect(caller.used).toEqual([{ input: expect.any(Number), output: expect.any(Number), costMicros: 10_000 }]);
  });

  it('a turn that a model answers is said before the model has finished', async () => {
    server.answers(begins(delta({ content: 'A repair takes two days. It' })));
    const caller = converse();
    const answered = caller.hear('How long?');
    await waitUntil(() => caller.log.includes('endpoint: A repair takes two days.'), { what: 'the first sentence' });
    await answered;
  });

  it('a turn that a model answers tells the model what was said before, and what was heard of it', async () => {
    server.answers(speaks('You can park behind the house. Anything else?'), speaks('Yes.'));
    const caller = converse();
    await caller.hear({ kind: 'begin' });
    await caller.hear('Where can I park?');
    await caller.hear({ kind: 'interrupted', spoken: 'You can park' });
    await caller.hear('Behind the house?');
    expect(messagesOf(1).slice(1)).toEqual([
      { role: 'assistant', content: 'You are speaking with an automated assistant. Hello.' },
      { role: 'user', content: 'Where can I park?' },
      { role: 'assistant', content: 'You can park' },
      { role: 'user', content: 'Behind the house?' },
    ]);
  });

  it('a turn that a model answers is cut after three sentences, and at 400 characters', async () => {
    server.answers(
      speaks('One is enough. Yes it is. Really it is. No more than that. And more.'),
      speaks(`Yes. ${'This and that, '.repeat(30)}so.`),
    );
    const caller = converse();
    await caller.hear('Hello?');
    expect(caller.log.slice(1)).toEqual([
      'endpoint: One is enough.',
      'endpoint: Yes it is.',
      'endpoint: Really it is.',
    ]);
    caller.log.length = 0;
    await caller.hear('Hello?');
    expect(caller.log.slice(1)).toEqual(['endpoint: Yes.']);
  });

  it('a turn that a model answers is spoken without formatting and thoughts', async () => {
    server.answers(
      speaks(
        '<think>The price is 99 euros.</think>\n**Hello** there! 🎉\n- You can [park](https://evil.example) behind the house',
      ),
    );
    const caller = converse();
    await caller.hear('Hi');
    expect(caller.log.slice(1)).toEqual(['endpoint: Hello there!', 'endpoint: You can park behind the house']);
  });

  it('a turn that a model answers goes round in circles only once', async () => {
    server.answers(speaks('We are here. We are here. We are here. And there.'));
    const caller = converse();
    await caller.hear('Hi');
    expect(caller.log.slice(1)).toEqual(['endpoint: We are here.']);
  });

  it('a sentence that a model says in every turn is not said three times', async () => {
    server.answers(speaks('We are here.'));
    const caller = converse();
    for (const text of ['One', 'Two', 'Three']) await caller.hear(text);
    expect(caller.log).toEqual([
      'caller: One',
      'endpoint: We are here.',
      'caller: Two',
      'endpoint: We are here.',
      'caller: Three',
      'embedded: Embedded: Three',
      '[reply_replaced repeated]',
    ]);
  });

  it('a turn that the model has no answer to is the embedded engine’s, without a failure', async () => {
    server.answers(speaks('NO_ANSWER'));
    const caller = converse();
    const turn = await caller.hear('Do you sell boats?');
    expect(caller.log).toEqual(['caller: Do you sell boats?', 'embedded: Embedded: Do you sell boats?']);
    expect(turn).toMatchObject({ unanswered: 'Do you sell boats?', engine: 'endpoint' });
    expect(caller.noted).toEqual(['answered']);
  });

  it('a turn that is the product’s does not reach the model', async () => {
    server.answers(speaks('Calm down.'));
    const caller = converse();
    const turn = await caller.hear('There is a fire');
    await caller.hear({ kind: 'silence' });
    expect(caller.log).toEqual([
      'caller: There is a fire',
      'embedded: Product: There is a fire',
      'embedded: Product: silence.',
    ]);
    expect(turn.engine).toBe('endpoint');
    expect(server.asked).toEqual([]);
  });

  it('a turn of a company without a model is the embedded engine’s', async () => {
    const caller = converse({ model: { inUse: async () => undefined } });
    const turn = await caller.hear('Hello');
    expect(caller.log).toEqual(['[engine_changed embedded]', 'caller: Hello', 'embedded: Embedded: Hello']);
    expect(turn.engine).toBe('embedded');
  });

  it('a turn that the caller interrupts ends with what was said, and the next one goes on from there', async () => {
    server.answers(begins(delta({ content: 'A repair takes two days. And' })), speaks('Yes.'));
    const caller = converse();
    const leaving = new AbortController();
    const answered = caller.hear('How long?', { signal: leaving.signal });
    await waitUntil(() => caller.log.length === 2, { what: 'the first sentence' });
    leaving.abort();
    expect(await answered).toMatchObject({ action: null, engine: 'endpoint' });
    await caller.hear({ kind: 'interrupted', spoken: 'A repair' });
    await caller.hear('Only two days?');
    expect(messagesOf(1).slice(1)).toEqual([
      { role: 'user', content: 'How long?' },
      { role: 'assistant', content: 'A repair' },
      { role: 'user', content: 'Only two days?' },
    ]);
    expect(caller.log).not.toContain('[endpoint_failed timeout]');
    expect(caller.noted).toEqual(['answered']);
  });
});
