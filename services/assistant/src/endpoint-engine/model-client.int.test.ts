import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createEgress } from '@parley/egress';
import { waitUntil } from '@parley/testkit';
import {
  begins,
  breaksAfter,
  delta,
  event,
  events,
  hangs,
  type ModelBehaviour,
  type ModelServer,
  respondsWith,
  speaks,
  startModelServer,
} from '../../test/model-server.ts';
import { type ModelAddress, modelClient, type ModelRequest } from './model-client.ts';
import { testEndpoint } from './test-endpoint.ts';

const KEY = 'sk-very-secret';
let server: ModelServer;
let egress: ReturnType<typeof createEgress>;
beforeEach(async () => {
  server = await startModelServer();
  egress = createEgress({ allowedOrigins: [new URL(server.url).origin] });
});
afterEach(async () => {
  await egress?.close();
  await server?.close();
});

const address = (): ModelAddress => ({ source: 'company', url: server.url, model: 'small', apiKey: KEY });
const client = () => modelClient({ company: egress, operator: egress });
const limits = { firstTokenMs: 2000, nextTokenMs: 2000, totalMs: 4000 };

function ask(more: Partial<ModelRequest> = {}) {
  const texts: string[] = [];
  const request = { messages: [{ role: 'user', content: 'Hello' }] as const, tools: [], ...limits, ...more };
  const answer = client().ask({ address: address(), onText: (text) => texts.push(text), ...request });
  return { answer, texts };
}

const wholeAnswer = (message: unknown) => ({ choices: [{ index: 0, message, finish_reason: 'stop' }] });
const call = (name: string, args: unknown, more: object = {}) => ({ ...more, function: { name, arguments: args } });
const piece = (args: string, more: object = {}) => ({ ...more, function: { arguments: args } });

describe('a request to a language model', () => {
  it('a request to a language model asks for a stream with its tools, its usage and a bound, and carries the key', async () => {
    server.answers(speaks('Yes.'));
    await ask({ tools: [{ type: 'function' }] }).answer;
    expect(server.asked).toMatchObject([
      {
        path: '/v1/chat/completions',
        headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
        body: {
          model: 'small',
          stream: true,
          stream_options: { include_usage: true },
          max_tokens: 300,
          tools: [{ type: 'function' }],
        },
      },
    ]);
  });

  it('a request to a language model is repeated with the newer bound where the older one is refused, and then uses it', async () => {
    const refused = { error: { message: "Use 'max_completion_tokens' instead.", code: 'unsupported_parameter' } };
    server.answers(respondsWith(400, refused), speaks('Yes.'));
    const one = client();
    const request = { address: address(), messages: [], tools: [], ...limits };
    expect(await one.ask(request)).toMatchObject({ text: 'Yes.' });
    await one.ask(request);
    expect(server.asked.map(({ body }) => [body.max_tokens, body.max_completion_tokens])).toEqual([
      [300, undefined],
      [undefined, 300],
      [undefined, 300],
    ]);
  });

  it('a request to a language model brings the text as it arrives', async () => {
    server.answers(begins(delta({ content: 'We open' }), delta({ content: ' at nine.' })));
    const { answer, texts } = ask({ nextTokenMs: 300 });
    await waitUntil(() => texts.length === 2, { what: 'the text' });
    expect(texts).toEqual(['We open', ' at nine.']);
    await expect(answer).rejects.toMatchObject({ reason: 'timeout' });
  });

  const answers: [string, ModelBehaviour, object][] = [
    ['a stream', speaks('Hello there.'), { text: 'Hello there.', isEnded: true, isStreamed: true }],
    [
      'one piece',
      respondsWith(200, wholeAnswer({ content: 'Hello.' })),
      { text: 'Hello.', isEnded: true, isStreamed: false },
    ],
    [
      'one indented piece',
      respondsWith(200, JSON.stringify(wholeAnswer({ content: 'Hello.' }), null, 2)),
      { text: 'Hello.' },
    ],
    [
      'lines that end with CRLF',
      events('data: {"choices":[{"delta":{"content":"Hi"}}]}\r\n\r\ndata: [DONE]\r\n\r\n'),
      { text: 'Hi' },
    ],
    [
      'events without a space or a line between',
      events('data:{"choices":[{"delta":{"content":"a"}}]}\ndata:{"choices":[{"delta":{"content":"b"}}]}\n'),
      { text: 'ab', isEnded: false },
    ],
    [
      'comments and other fields',
      events(': ping\n\n', 'event: message\nid: 1\nretry: 5\n', delta({ content: 'Hi' }), 'data: \n\n'),
      { text: 'Hi' },
    ],
    ['a last line without an end', events(delta({ content: 'Hi' }), 'data: [DONE]'), { text: 'Hi', isEnded: true }],
    [
      'content in parts',
      respondsWith(200, wholeAnswer({ content: [{ type: 'text', text: 'Hi' }, { type: 'image' }] })),
      { text: 'Hi' },
    ],
    [
      'unknown fields',
      events(event({ x: 1, choices: [{ delta: { content: 'Hi', reasoning_content: 'secret', y: [] }, z: 2 }] })),
      { text: 'Hi' },
    ],
    [
      'null content, null usage, no choices',
      events(delta({ content: null }), event({ choices: [], usage: null }), event({}), delta({}, 'stop')),
      { text: '', isEnded: true },
    ],
    ['characters cut into bytes', cutIntoBytes(delta({ content: 'blåbærgrød 🙂' })), { text: 'blåbærgrød 🙂' }],
  ];
  it.each(answers)('a request to a language model reads %s', async (_what, behaviour, expected) => {
    server.answers(behaviour);
    expect(await ask().answer).toMatchObject(expected);
  });

  const found = [{ name: 'find_person', arguments: '{"name":"Zoe"}' }];
  const toolCalls: [string, ModelBehaviour, { name: string; arguments: string; id?: string }[]][] = [
    [
      'whole',
      events(delta({ tool_calls: [call('find_person', '{"name":"Zoe"}', { index: 0, id: 'a' })] })),
      [{ ...found[0]!, id: 'a' }],
    ],
    [
      'in pieces',
      events(
        delta({ tool_calls: [call('find_person', '', { index: 0, id: 'a' })] }),
        delta({ tool_calls: [piece('{"name":', { index: 0 })] }),
        delta({ tool_calls: [piece('"Zoe"}', { index: 0 })] }),
      ),
      found,
    ],
    [
      'in pieces without index and id',
      events(delta({ tool_calls: [call('find_person', '{"name":')] }), delta({ tool_calls: [piece('"Zoe"}')] })),
      [{ ...found[0]!, id: 'call_1' }],
    ],
    [
      'with the name in every piece',
      events(
        delta({ tool_calls: [call('find_person', '{"name":', { index: 0 })] }),
        delta({ tool_calls: [call('find_person', '"Zoe"}', { index: 0 })] }),
      ),
      found,
    ],
    [
      'with the name in pieces',
      events(
        delta({ tool_calls: [call('find_', '', { index: 0 })] }),
        delta({ tool_calls: [call('person', '', { index: 0 })] }),
        delta({ tool_calls: [piece('{"name":"Zoe"}', { index: 0 })] }),
      ),
      found,
    ],
    [
      'with arguments as an object',
      respondsWith(200, wholeAnswer({ content: null, tool_calls: [call('find_person', { name: 'Zoe' })] })),
      found,
    ],
    [
      'as the older function_call',
      respondsWith(
        200,
        wholeAnswer({ content: null, function_call: { name: 'find_person', arguments: '{"name":"Zoe"}' } }),
      ),
      found,
    ],
    [
      'two at once, mixed',
      events(
        delta({ tool_calls: [call('a', '{', { index: 0 }), call('b', '[', { index: 1 })] }),
        delta({ tool_calls: [piece(']', { index: 1 }), piece('}', { index: 0 })] }),
      ),
      [
        { name: 'a', arguments: '{}' },
        { name: 'b', arguments: '[]' },
      ],
    ],
    [
      'two at once without ids',
      events(delta({ tool_calls: [call('a', '{}')] }), delta({ tool_calls: [call('b', '{}')] })),
      [
        { name: 'a', arguments: '{}', id: 'call_1' },
        { name: 'b', arguments: '{}', id: 'call_2' },
      ],
    ],
    [
      'two at once with the same index',
      events(
        delta({ tool_calls: [call('a', '{}', { index: 0, id: 'x' })] }),
        delta({ tool_calls: [call('b', '{}', { index: 0, id: 'y' })] }),
      ),
      [
        { name: 'a', arguments: '{}', id: 'x' },
        { name: 'b', arguments: '{}', id: 'y' },
      ],
    ],
  ];
  it.each(toolCalls)('a request to a language model reads calls of tools %s', async (_how, behaviour, expected) => {
    server.answers(behaviour);
    const answer = await ask().answer;
    expect(answer.toolCalls).toHaveLength(expected.length);
    expect(answer.toolCalls).toMatchObject(expected);
  });

  const failures: [string, ModelBehaviour, string][] = [
    ['refuses the key', respondsWith(401), 'unauthorized'],
    ['does not know the model', respondsWith(404, { error: { code: 'model_not_found' } }), 'unknown_model'],
    ['does not know the model, with 400', respondsWith(400, { error: { code: 'model_not_found' } }), 'unknown_model'],
    ['fails', respondsWith(500, 'oops'), 'invalid_answer'],
    ['is overloaded', respondsWith(503), 'unreachable'],
    ['redirects', respondsWith(307, '', { location: '/v2/chat/completions' }), 'invalid_answer'],
    ['sends a page', respondsWith(200, '<html>Hello</html>'), 'invalid_answer'],
    ['sends nothing', respondsWith(200), 'broken'],
    ['sends broken JSON', respondsWith(200, '{"choices":['), 'invalid_answer'],
    ['sends events that are no JSON', events(event('{"choices":['), delta({ content: 'Hi' })), 'invalid_answer'],
    [
      'sends an error in the stream',
      events(delta({ content: 'Hi' }), event({ error: { message: 'overloaded' } })),
      'invalid_answer',
    ],
    ['sends an error instead of an answer', respondsWith(200, { error: 'overloaded' }), 'invalid_answer'],
    ['hangs', hangs, 'timeout'],
    ['hangs after its first token', begins(delta({ content: 'Hi' })), 'timeout'],
    ['hangs in the middle of an event', begins('data: {"choices"'), 'timeout'],
    ['drops the connection before an answer', (response) => response.destroy(), 'broken_stream'],
    ['drops the connection in the middle', breaksAfter(delta({ content: 'We are' })), 'broken_stream'],
    ['sends an endless line', floods('x'), 'invalid_answer'],
    ['sends an endless event', floods('data: xxxxxxxxxx'), 'invalid_answer'],
    ['sends text without an end', floods(delta({ content: 'word ' })), 'too_long'],
    [
      'sends arguments without an end',
      floods(delta({ tool_calls: [piece('x'.repeat(100), { index: 0 })] })),
      'invalid_answer',
    ],
    ['sends calls of tools without an end', floods(delta({ tool_calls: [call('a', '')] })), 'invalid_answer'],
    ['sends comments without an end', floods(': ping\n\n'), 'broken_stream|timeout'],
    ['sends empty tokens without an end', floods(delta({ content: '' })), 'broken_stream|timeout'],
  ];
  it.each(failures)('a request to a language model that %s fails', async (_what, behaviour, reason) => {
    server.answers(behaviour);
    const { answer } = ask({ firstTokenMs: 400, nextTokenMs: 400 });
    if (reason === 'broken') return expect(await answer).toMatchObject({ text: '', isEnded: false });
    const error = await answer.then(
      () => undefined,
      (failed: unknown) => failed,
    );
    expect(error).toMatchObject({ name: 'ModelError', reason: expect.stringMatching(`^(?:${reason})$`) });
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain(KEY);
    expect(server.asked).toHaveLength(1);
  });

  it('a request to a language model does not reach an address that is not public', async () => {
    const strict = createEgress();
    const strictClient = modelClient({ company: strict, operator: egress });
    const request = { messages: [], tools: [], ...limits };
    server.answers(speaks('Yes.'));
    await expect(strictClient.ask({ address: address(), ...request })).rejects.toMatchObject({ reason: 'unreachable' });
    expect(server.asked).toEqual([]);
    const own = await strictClient.ask({ address: { ...address(), source: 'operator' }, ...request });
    expect(own.text).toBe('Yes.');
    await strict.close();
  });

  it('a request to a language model ends at once when it is given up, and its connection is closed', async () => {
    server.answers(begins(delta({ content: 'We are' })));
    const leaving = new AbortController();
    const { answer, texts } = ask({ signal: leaving.signal });
    await waitUntil(() => texts.length === 1, { what: 'the first token' });
    leaving.abort();
    await expect(answer).rejects.toMatchObject({ reason: 'aborted' });
    await waitUntil(async () => (await server.connections()) === 0, { what: 'the end of the connection' });
    await expect(ask({ signal: AbortSignal.abort() }).answer).rejects.toMatchObject({ reason: 'aborted' });
    expect(server.asked).toHaveLength(1);
  });

  it('a request to a language model tells what was used as the model counted it, else by its characters', async () => {
    const counted = event({ choices: [], usage: { prompt_tokens: 70, completion_tokens: 7 } });
    server.answers(events(delta({ content: 'Hi' }, 'stop'), counted));
    expect((await ask().answer).used).toEqual({ inputTokens: 70, outputTokens: 7 });
    for (const usage of [
      undefined,
      {},
      { prompt_tokens: -1, completion_tokens: 2 },
      { prompt_tokens: '1', completion_tokens: 1e99 },
    ]) {
      server.answers(events(delta({ content: 'x'.repeat(40) }, 'stop'), event({ usage })));
      const { used } = await ask({ messages: [{ role: 'user', content: 'y'.repeat(400) }] }).answer;
      expect(used.outputTokens).toBe(10);
      expect(used.inputTokens).toBeGreaterThanOrEqual(100);
      expect(used.inputTokens).toBeLessThan(120);
    }
    server.answers(breaksAfter(delta({ content: 'x'.repeat(40) })));
    await expect(ask().answer).rejects.toMatchObject({ used: { inputTokens: expect.any(Number), outputTokens: 10 } });
    server.answers(respondsWith(429));
    await expect(ask().answer).rejects.toMatchObject({ used: { inputTokens: 0, outputTokens: 0 } });
  });
});

describe('a trial of a language model', () => {
  const trials: [string, ModelBehaviour, object][] = [
    [
      'streams and calls tools',
      speaks(null, ['find_person', { name: 'Anna' }]),
      { ok: true, streams: true, callsTools: true, error: null },
    ],
    [
      'calls tools in one piece',
      respondsWith(200, wholeAnswer({ content: null, tool_calls: [call('find_person', '{}')] })),
      { ok: true, streams: false, callsTools: true, error: null },
    ],
    ['calls no tools', speaks('Hello'), { ok: false, streams: true, callsTools: false, error: 'no_tools' }],
    ['refuses the key', respondsWith(403), { ok: false, error: 'unauthorized', firstTokenMs: null }],
    ['does not know the model', respondsWith(404), { ok: false, error: 'unknown_model' }],
    ['says nothing', events(delta({}, 'stop')), { ok: false, error: 'invalid_answer' }],
    [
      'breaks off',
      breaksAfter(delta({ content: 'Hel' })),
      { ok: false, error: 'invalid_answer', firstTokenMs: expect.any(Number) },
    ],
    ['is down', respondsWith(502), { ok: false, error: 'unreachable' }],
  ];
  it.each(trials)('a trial of a language model that %s says so', async (_what, behaviour, expected) => {
    server.answers(behaviour);
    expect(await testEndpoint(client(), address())).toMatchObject(expected);
  });

  it('a trial of a language model tells how long the first token took', async () => {
    server.answers(async (response, asked) => {
      await new Promise((resolve) => setTimeout(resolve, 150));
      return speaks(null, ['find_person', {}])(response, asked);
    });
    const { firstTokenMs } = await testEndpoint(client(), address());
    expect(firstTokenMs).toBeGreaterThanOrEqual(145);
  });
});

/** Writes the same piece for as long as it is read. */
function floods(text: string): ModelBehaviour {
  const pieces = text.repeat(Math.ceil(50_000 / text.length));
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const more = () => {
      while (!response.destroyed && response.write(pieces));
    };
    response.on('drain', more).on('error', () => {});
    more();
  };
}

function cutIntoBytes(text: string): ModelBehaviour {
  return async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const byte of Buffer.from(text)) await new Promise((written) => response.write(Buffer.from([byte]), written));
    response.end();
  };
}
