import { setImmediate as nextTurnOfLoop, setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '@parley/clock';
import {
  empty,
  type Endpoint,
  endpoint,
  type EndpointResponse,
  HttpError,
  json,
  stream,
  streamArray,
} from '@parley/http';
import { z } from 'zod';
import {
  type CompletionRequest,
  completionError,
  readCompletionRequest,
  streamedCompletion,
  wholeCompletion,
} from './completion.ts';
import { type ModelTurn, modelScriptInput } from './model-script.ts';
import type { ModelRequest, ScriptedModels } from './scripted-models.ts';

const SCRIPT_BYTES_MAX = 4 * 1024 * 1024;
/** A model that hangs does so until its client gives up, at most for this long. */
const HANG_MS = 600_000;
/** Requests that are shown in one step of the process. */
const SHOWN_AT_ONCE = 20;
/** The first chunk of a stream is sent with the second one; this one lets its headers be sent at once. */
const HEADERS = '';
const EVENT_STREAM = 'text/event-stream; charset=utf-8';

const requestJson = z.object({
  received_at: z.iso.datetime(),
  headers: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  body: z.json(),
  status: z.int().nullable(),
  ended_at: z.iso.datetime().nullable(),
});

export function modelEndpoints(deps: { models: ScriptedModels; clock: Clock }): Endpoint<undefined>[] {
  const { models, clock } = deps;
  const tag = 'Language models';

  const set = endpoint('none')({
    route: 'PUT /llm/scripts/:model',
    tag,
    summary: 'Set the script of a language model',
    body: modelScriptInput,
    bodyBytesMax: SCRIPT_BYTES_MAX,
    responses: { 200: z.object({ model: z.string(), turns: z.int(), at_end: z.string() }) },
    handle({ params: { model }, body }) {
      models.setScript(model, body);
      return json(200, { model, turns: body.turns.length, at_end: body.at_end });
    },
  });

  const list = endpoint('none')({
    route: 'GET /llm/requests',
    tag,
    summary: 'List the requests to language models',
    query: z.object({ model: z.string().optional() }),
    responses: { 200: z.array(requestJson) },
    handle: ({ query }) => streamArray(portions(models.requests(query.model)), requestView),
  });

  const clear = endpoint('none')({
    route: 'DELETE /llm',
    tag,
    summary: 'Forget scripts of, and requests to, language models',
    responses: { 204: null },
    handle() {
      models.clear();
      return empty(204);
    },
  });

  // Declared without `endpoint()`: the script decides the status, so no declaration can list them.
  const complete: Endpoint<undefined> = {
    role: 'none',
    method: 'post',
    path: '/llm/v1/chat/completions',
    tag,
    summary: 'Complete a conversation',
    body: 'bytes',
    responses: { 200: '*/*' },
    async handle({ body, request, signal }) {
      const rawBody = (body as Buffer).toString('utf8');
      const completion = readCompletionRequest(parsed(rawBody));
      const { headers } = request;
      const received = models.record({ receivedAt: clock.now(), headers, model: completion?.model ?? '', rawBody });
      const end = () => {
        received.endedAt ??= clock.now();
      };
      signal.addEventListener('abort', end, { once: true });
      const response = await answer(completion, received, signal);
      received.status = response.status;
      if (response.kind !== 'stream') {
        end();
        return response;
      }
      return { ...response, stream: endingWith(response.stream as AsyncIterable<string>, end) };
    },
  };

  async function answer(completion: CompletionRequest | undefined, received: ModelRequest, signal: AbortSignal) {
    if (!completion) return refusal(400, 'this is not a request for a completion', null);
    const { known, turn } = models.next(completion.model, completion.prompt);
    if (!known) return refusal(404, `the model ${completion.model} does not exist`, 'model_not_found');
    if (!turn) return refusal(500, 'the script of this model has ended', 'script_ended');
    return perform(turn, completion, received.receivedAt, signal);
  }

  return [set, list, clear, complete];
}

/** Plays a turn, in real time, because the client's limits are being tested. */
async function perform(
  turn: ModelTurn,
  request: CompletionRequest,
  at: Date,
  signal: AbortSignal,
): Promise<EndpointResponse> {
  const created = Math.floor(at.getTime() / 1000);
  const pace = pacing(turn, signal);
  if (turn.hang && turn.drop_after_tokens === undefined) await sleep(HANG_MS, undefined, { signal });
  if (turn.status !== undefined && turn.raw === undefined) {
    await pace(0);
    return failure(turn.status, turn.body);
  }
  if (turn.raw) return stream(turn.status ?? 200, EVENT_STREAM, rawLines(turn.raw, pace));
  const { before, tokens, after } = streamedCompletion(turn, request, created);
  if (request.streamed && turn.stream) {
    return stream(200, EVENT_STREAM, tokensUntilFault(turn, [before, ...tokens], after, pace, signal));
  }
  await pace(Math.max(0, tokens.length - 1));
  const whole = wholeCompletion(turn, request, created);
  return turn.drop_after_tokens === undefined ? json(200, whole) : stream(200, 'application/json', firstHalfOf(whole));
}

type Pace = (token: number) => Promise<void>;

/** Waits until a token is due. Tokens that are late are not waited for, so that the last one is in time. */
function pacing({ first_token_ms: first, token_ms: each }: ModelTurn, signal: AbortSignal): Pace {
  const begun = performance.now();
  return async (token) => {
    const waitMs = begun + first + token * each - performance.now();
    if (waitMs > 0) await sleep(waitMs, undefined, { signal });
  };
}

async function* tokensUntilFault(
  turn: ModelTurn,
  [before, ...tokens]: readonly string[],
  after: string,
  pace: Pace,
  signal: AbortSignal,
): AsyncGenerator<string> {
  yield before!;
  yield HEADERS;
  const { drop_after_tokens: dropAfter = Infinity, hang } = turn;
  for (const [place, token] of tokens.slice(0, dropAfter).entries()) {
    await pace(place);
    yield token;
  }
  if (dropAfter !== Infinity && hang) await sleep(HANG_MS, undefined, { signal });
  if (dropAfter !== Infinity) await dropConnection();
  yield after;
}

async function* firstHalfOf(completion: unknown): AsyncGenerator<string> {
  const text = JSON.stringify(completion);
  yield HEADERS;
  yield text.slice(0, text.length / 2);
  await dropConnection();
}

/** An error after the beginning of a response closes the connection, once what was written has left. */
async function dropConnection(): Promise<never> {
  await nextTurnOfLoop();
  throw new HttpError(400, { error: 'the script drops this connection' });
}

async function* rawLines(lines: readonly string[], pace: Pace): AsyncGenerator<string> {
  yield HEADERS;
  for (const [place, line] of lines.entries()) {
    await pace(place);
    yield `${line}\n`;
  }
}

async function* endingWith(chunks: AsyncIterable<string>, end: () => void): AsyncGenerator<string> {
  try {
    yield* chunks;
  } finally {
    end();
  }
}

function failure(status: number, body: ModelTurn['body']): EndpointResponse {
  if (body === undefined || body === null) return refusal(status, 'the script answers with an error', null);
  if (typeof body === 'string') return { kind: 'content', status, content: body };
  return json(status, body);
}

const refusal = (status: number, message: string, code: string | null) =>
  json(status, completionError(message, status < 500 ? 'invalid_request_error' : 'server_error', code));

function* portions(requests: readonly ModelRequest[]): Generator<readonly ModelRequest[]> {
  for (let from = 0; from < requests.length; from += SHOWN_AT_ONCE) yield requests.slice(from, from + SHOWN_AT_ONCE);
}

function requestView({ receivedAt, headers, rawBody, status, endedAt }: ModelRequest): z.infer<typeof requestJson> {
  return {
    received_at: receivedAt.toISOString(),
    headers: headers as Record<string, string | string[]>,
    body: parsed(rawBody),
    status,
    ended_at: endedAt?.toISOString() ?? null,
  };
}

/** Null when the body is not JSON. */
function parsed(rawBody: string): z.infer<ReturnType<typeof z.json>> {
  try {
    return JSON.parse(rawBody);
  } catch {
    return null;
  }
}
