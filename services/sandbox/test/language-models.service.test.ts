import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type OwnNats, ownNats, waitUntil } from '@parley/testkit';
import { startSandbox, type TestSandbox } from './start-sandbox.ts';

let nats: OwnNats;
let sandbox: TestSandbox;
beforeAll(async () => {
  nats = await ownNats();
  sandbox = await startSandbox(nats);
});
afterEach(() => sandbox.ask('DELETE', '/llm'));
afterAll(async () => {
  await sandbox?.stop();
  await nats?.close();
});

const at = { first_token_ms: 0, token_ms: 0 };
const script = (turns: unknown[], more: object = {}) =>
  sandbox.ask('PUT', '/llm/scripts/tiny', { turns: turns.map((turn) => ({ ...at, ...(turn as object) })), ...more });

const requestOf = (text: string, more: object = {}) => ({
  model: 'tiny',
  messages: [{ role: 'user', content: text }],
  ...more,
});
const complete = (text: string, more?: object, headers?: Record<string, string>) =>
  sandbox.ask('POST', '/llm/v1/chat/completions', requestOf(text, more), headers);

const streamed = { stream: true, stream_options: { include_usage: true } };

/** The events of a stream as it came, without the end. */
function eventsOf(text: string): any[] {
  const lines = text.split('\n').filter((line) => line !== '');
  expect(lines.at(-1)).toBe('data: [DONE]');
  return lines.slice(0, -1).map((line) => JSON.parse(line.replace('data: ', '')));
}

const deltasOf = (text: string) => eventsOf(text).flatMap(({ choices }) => choices.map(({ delta }: any) => delta));

describe('a scripted language model', () => {
  it('a scripted language model answers in one piece', async () => {
    await script([{ reply: 'We open at nine.' }]);
    const { status, body } = await complete('When?');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      object: 'chat.completion',
      model: 'tiny',
      choices: [{ index: 0, message: { role: 'assistant', content: 'We open at nine.' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: expect.any(Number), completion_tokens: 4 },
    });
  });

  it('a scripted language model answers token by token, with its usage if that is asked for', async () => {
    await script([{ reply: 'We open at nine.' }]);
    const { headers, body } = await complete('When?', streamed);
    expect(headers.get('content-type')).toMatch('text/event-stream');
    expect(deltasOf(body).map(({ content }) => content ?? '')).toEqual(['', 'We', ' open', ' at', ' nine.', '']);
    expect(eventsOf(body).at(-1)).toMatchObject({ choices: [], usage: { completion_tokens: 4 } });
    const without = await complete('When?', { stream: true });
    expect(eventsOf(without.body).at(-1)).toMatchObject({ choices: [{ finish_reason: 'stop' }] });
  });

  it('a scripted language model calls tools in pieces or in one', async () => {
    const calls = [
      { name: 'find_person', arguments: { name: 'Zoe of the bicycles' } },
      { name: 'odd', arguments: '{"no' },
    ];
    await script([{ tool_calls: calls }]);
    const deltas = deltasOf((await complete('Zoe', streamed)).body).flatMap((delta) => delta.tool_calls ?? []);
    const argumentsOf = (place: number) =>
      deltas.filter(({ index }) => index === place).map((call) => call.function.arguments);
    expect(argumentsOf(0).length).toBeGreaterThan(2);
    expect(argumentsOf(0).join('')).toBe('{"name":"Zoe of the bicycles"}');
    expect(argumentsOf(1).join('')).toBe('{"no');
    const { choices } = (await complete('Zoe')).body;
    expect(choices[0]).toMatchObject({ finish_reason: 'tool_calls', message: { content: null } });
    expect(choices[0].message.tool_calls[0]).toEqual({
      id: 'call_1',
      type: 'function',
      function: { name: 'find_person', arguments: '{"name":"Zoe of the bicycles"}' },
    });
  });

  it('a scripted language model takes as long as it is told, in real time', async () => {
    await script([{ reply: 'one two three four', first_token_ms: 200, token_ms: 100 }]);
    const before = performance.now();
    const response = await fetch(`${sandbox.url}/llm/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(requestOf('Count', streamed)),
    });
    const times: number[] = [];
    for await (const piece of response.body!.pipeThrough(new TextDecoderStream()))
      if (piece.includes('"content":" ') || piece.includes('"content":"one')) times.push(performance.now() - before);
    expect(times[0]).toBeGreaterThanOrEqual(195);
    expect(times.at(-1)).toBeGreaterThanOrEqual(495);
    expect(times.length).toBeGreaterThan(1);
  });

  it('a scripted language model leaves out its usage, streams nothing, and sends lines as they are', async () => {
    await script([
      { reply: 'a', usage: null },
      { reply: 'b', usage: { prompt_tokens: 7 } },
      { reply: 'c', stream: false },
      { raw: ['data: {"choices":[', '', ': hm', 'data: [DONE]'] },
    ]);
    expect((await complete('')).body).not.toHaveProperty('usage');
    expect((await complete('')).body.usage).toEqual({ prompt_tokens: 7 });
    expect((await complete('', streamed)).body).toMatchObject({ choices: [{ message: { content: 'c' } }] });
    expect((await complete('', streamed)).body).toBe('data: {"choices":[\n\n: hm\ndata: [DONE]\n');
  });

  it.each([
    { turn: { status: 429 }, status: 429, body: { error: { type: 'invalid_request_error' } } },
    { turn: { status: 401, body: { error: 'key' } }, status: 401, body: { error: 'key' } },
    { turn: { status: 502, body: 'Bad gateway' }, status: 502, body: 'Bad gateway' },
  ])('a scripted language model answers with the error $turn', async ({ turn, status, body }) => {
    await script([turn]);
    expect(await complete('', streamed)).toMatchObject({ status, body });
  });

  it.each([
    { more: streamed, tokens: 2, received: /"content":" two"/ },
    { more: streamed, tokens: 0, received: /"role":"assistant"/ },
    { more: {}, tokens: 2, received: /^\{/ },
  ])(
    'a scripted language model drops the connection after $tokens tokens of $more',
    async ({ more, tokens, received }) => {
      await script([{ reply: 'one two three', drop_after_tokens: tokens }]);
      const response = await fetch(`${sandbox.url}/llm/v1/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(requestOf('', more)),
      });
      let text = '';
      const read = async () => {
        for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) text += piece;
      };
      await expect(read()).rejects.toThrow();
      expect(text).toMatch(received);
      expect(text).not.toMatch(/three"|\[DONE\]/);
    },
  );

  it.each([{}, { drop_after_tokens: 1 }])(
    'a scripted language model hangs with %j until its client gives up',
    async (more) => {
      await script([{ reply: 'one two', hang: true, ...more }]);
      const giving = new AbortController();
      const asked = fetch(`${sandbox.url}/llm/v1/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(requestOf('', streamed)),
        signal: giving.signal,
      }).then((response) => response.text());
      const listed = async () => (await sandbox.ask('GET', '/llm/requests')).body;
      await waitUntil(async () => (await listed()).length === 1, { what: 'the request' });
      expect(await listed()).toMatchObject([{ ended_at: null }]);
      giving.abort();
      await expect(asked).rejects.toThrow();
      await waitUntil(async () => (await listed())[0].ended_at !== null, { what: 'the end of the request' });
    },
  );

  it('a scripted language model shows its requests, with their headers, until they are forgotten', async () => {
    await script([{ reply: 'Yes' }], { at_end: 'error' });
    await complete('One', {}, { authorization: 'Bearer any' });
    await complete('Two');
    await sandbox.ask('POST', '/llm/v1/chat/completions', { model: 'other', messages: [] });
    await sandbox.ask('POST', '/llm/v1/chat/completions', '{"model', { 'content-type': 'application/json' });
    const { body } = await sandbox.ask('GET', '/llm/requests');
    expect(body).toMatchObject([
      { status: 200, body: requestOf('One'), headers: { authorization: 'Bearer any' }, ended_at: expect.any(String) },
      { status: 500, body: requestOf('Two') },
      { status: 404, body: { model: 'other' } },
      { status: 400, body: null },
    ]);
    expect((await sandbox.ask('GET', '/llm/requests?model=tiny')).body).toHaveLength(2);
    expect((await sandbox.ask('DELETE', '/llm')).status).toBe(204);
    expect((await sandbox.ask('GET', '/llm/requests')).body).toEqual([]);
    expect((await complete('One')).status).toBe(404);
  });

  it('a scripted language model chooses by what the user said last, in text or in parts', async () => {
    await script([{ when: 'zoe', reply: 'Zoe' }, { reply: 'Pardon?' }]);
    const contentOf = async (messages: unknown[]) =>
      (await sandbox.ask('POST', '/llm/v1/chat/completions', { model: 'tiny', messages })).body.choices[0].message
        .content;
    expect(await contentOf([{ role: 'user', content: [{ type: 'text', text: 'Is Zoe there?' }] }])).toBe('Zoe');
    const earlier = [
      { role: 'user', content: 'Is Zoe there?' },
      { role: 'assistant', content: 'No' },
    ];
    expect(await contentOf([...earlier, { role: 'user', content: 'Hm' }])).toBe('Pardon?');
  });

  it('a scripted language model refuses a script it could not play', async () => {
    const { status, body } = await script([{ when: '(' }]);
    expect(status).toBe(422);
    expect(body.errors).toEqual({ 'turns[0].when': [expect.any(String)] });
  });
});
