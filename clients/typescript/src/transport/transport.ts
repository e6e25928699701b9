import { ConnectionError, errorOfResponse, type ParleyError, ServerError, TimeoutError } from '../errors.ts';
import type { Credential } from './credential.ts';
import { failedBeforeSending } from './not-sent.ts';
import { readText } from './read-text.ts';
import { type Failure, retryAfterSecsOf, retryDelayMs } from './retry.ts';
import { sleep, unlessAborted } from './waiting.ts';

/** A value of a query; a list is sent with commas, undefined and null are left out. */
export type QueryValue = string | number | boolean | Date | readonly (string | number)[] | null | undefined;

/** The last argument of every method. */
export interface RequestOptions {
  /** Ends the request and its retries; it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Of one attempt. */
  readonly timeoutMs?: number | undefined;
  /** Where the operation takes one; made automatically otherwise. The same key never sends twice. */
  readonly idempotencyKey?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** A request before it is sent. */
export interface ApiRequest extends RequestOptions {
  readonly method: string;
  /** Below the base address, with its parameters filled in. */
  readonly path: string;
  readonly query?: Readonly<Record<string, QueryValue>> | undefined;
  /** Sent as JSON; text, bytes, blobs and forms as they are. */
  readonly body?: unknown;
  /** `json`: an object or a list, anything else is an error; `any`: JSON if that is what the response says, or nothing. */
  readonly accept: 'json' | 'text' | 'any';
  /** The request may be executed twice with the effect of once, although it is a POST without `idempotencyKey`. */
  readonly repeatable?: boolean;
}

/** A successful response. */
export interface ApiResponse<Body = unknown> {
  readonly status: number;
  readonly headers: Headers;
  /** Undefined when there was none. */
  readonly body: Body;
}

export interface TransportOptions {
  readonly baseUrl: string;
  readonly credential: Credential | undefined;
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly fetch: typeof fetch;
  /** Undefined in browsers, which have their own. */
  readonly userAgent: string | undefined;
}

/** The longest time that timers take. */
const TIMEOUT_MS_MAX = 2 ** 31 - 1;
/** An error of something that is no Parley may be a long page. */
const ERROR_TEXT_LENGTH_MAX = 2000;

interface ReceivedResponse {
  readonly response: Response;
  readonly text: string;
}

/** A response, or why there is none. */
type Outcome = ReceivedResponse | { readonly error: ConnectionError; readonly sent: boolean };

/** Sends requests: authentication, time limits, retries, errors. */
export class Transport {
  readonly #options: TransportOptions;

  constructor(options: TransportOptions) {
    this.#options = options;
  }

  async send(request: ApiRequest): Promise<ApiResponse> {
    const { credential, maxRetries } = this.#options;
    const { signal } = request;
    const prepared = prepare(request, this.#options.baseUrl);
    const repeatable = request.method !== 'POST' || request.idempotencyKey !== undefined || request.repeatable === true;
    let renewed = false;
    for (let retries = 0; ;) {
      signal?.throwIfAborted();
      const authentication = credential ? await unlessAborted(credential.headers(), signal) : {};
      const outcome = await this.#attempt(request, prepared, authentication);
      if ('response' in outcome && outcome.response.status === 401 && credential && !renewed) {
        renewed = true;
        if (await unlessAborted(credential.renew(authentication), signal)) continue;
      }
      if ('response' in outcome && outcome.response.ok) return this.#read(outcome, request);
      if (retries > 0 && isDoneAlready(request, outcome))
        return { status: 204, headers: outcome.response.headers, body: undefined };
      const delayMs =
        retries < maxRetries
          ? retryDelayMs(failureOf(outcome), { repeatable, retries, random: Math.random })
          : undefined;
      if (delayMs === undefined) throw 'error' in outcome ? outcome.error : this.#errorOf(outcome);
      retries += 1;
      await sleep(delayMs, signal);
    }
  }

  /** One request and its response, all of it within the time limit. */
  async #attempt(
    { method, signal, timeoutMs = this.#options.timeoutMs }: ApiRequest,
    { url, headers, body }: PreparedRequest,
    authentication: Readonly<Record<string, string>>,
  ): Promise<Outcome> {
    const { userAgent, fetch } = this.#options;
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(new TimeoutError(`no response within ${timeoutMs} ms`)), timeoutMs);
    const onAbort = () => limit.abort(signal!.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    const sent = new Headers({ ...(userAgent !== undefined && { 'User-Agent': userAgent }), ...headers });
    for (const [name, value] of Object.entries(authentication)) sent.set(name, value);
    const exchange = async () => {
      const init = { method, headers: sent, redirect: 'manual', signal: limit.signal } as const;
      const response = await fetch(url, body === undefined ? init : { ...init, body });
      return { response, text: await readText(response) };
    };
    try {
      // Also ended when what was passed as `fetch` does not watch its signal.
      return await unlessAborted(exchange(), limit.signal);
    } catch (error) {
      if (signal?.aborted || error instanceof ServerError) throw error;
      if (error instanceof TimeoutError) return { error, sent: true };
      const message = `no response from ${new URL(url).origin}: ${this.#redact(reasonOf(error))}`;
      return { error: new ConnectionError(message, { code: codeOf(error) }), sent: !failedBeforeSending(error) };
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    }
  }

  #read({ response, text }: ReceivedResponse, { accept }: ApiRequest): ApiResponse {
    const { status, headers } = response;
    const saysJson = (headers.get('content-type') ?? '').includes('json');
    if (accept === 'text' || (accept === 'any' && !saysJson))
      return { status, headers, body: text === '' && accept === 'any' ? undefined : text };
    // Such as a call that there is not: 204.
    if (status === 204) return { status, headers, body: undefined };
    const body = parseJson(text);
    if (body === undefined || (accept === 'json' && (typeof body !== 'object' || body === null)))
      throw new ServerError('the response is not the JSON of the API', { status, requestId: requestIdOf(response) });
    return { status, headers, body };
  }

  #errorOf({ response, text }: ReceivedResponse): ParleyError {
    const { status, headers } = response;
    const details = {
      requestId: requestIdOf(response),
      retryAfterSecs: retryAfterSecsOf(headers.get('retry-after')),
      headers: new Headers([...headers].map(([name, value]) => [name, this.#redact(value)])),
    };
    // A browser shows neither status nor target of a redirect.
    if (response.type === 'opaqueredirect' || (status >= 300 && status < 400))
      return new ServerError('the service redirected the request, which is not followed', { status, ...details });
    const said = this.#redact(text);
    return errorOfResponse(status, parseJson(said) ?? said.slice(0, ERROR_TEXT_LENGTH_MAX), details);
  }

  #redact(text: string): string {
    return this.#options.credential?.redact(text) ?? text;
  }
}

type RequestBody = NonNullable<RequestInit['body']>;

interface PreparedRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: RequestBody | undefined;
}

function prepare(request: ApiRequest, baseUrl: string): PreparedRequest {
  const { path, query = {}, body, idempotencyKey, headers, timeoutMs } = request;
  if (timeoutMs !== undefined) requireTimeout(timeoutMs);
  const isRaw =
    typeof body === 'string' ||
    body instanceof Uint8Array ||
    body instanceof ArrayBuffer ||
    body instanceof Blob ||
    body instanceof URLSearchParams;
  return {
    url: `${baseUrl}${path}${queryText(query)}`,
    headers: {
      Accept: request.accept === 'text' ? '*/*' : 'application/json',
      ...(body !== undefined && !isRaw && { 'Content-Type': 'application/json' }),
      ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
      ...headers,
    },
    body: isRaw ? (body as RequestBody) : body === undefined ? undefined : JSON.stringify(body),
  };
}

export function requireTimeout(timeoutMs: number): void {
  if (!(timeoutMs > 0 && timeoutMs <= TIMEOUT_MS_MAX)) throw new TypeError(`timeoutMs must be 1 to ${TIMEOUT_MS_MAX}`);
}

function queryText(query: Readonly<Record<string, QueryValue>>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue;
    search.set(name, value instanceof Date ? value.toISOString() : String(value));
  }
  return search.size === 0 ? '' : `?${search}`;
}

/** What was to be deleted is gone: the attempt whose response was lost has done it. */
function isDoneAlready({ method, accept }: ApiRequest, outcome: Outcome): outcome is ReceivedResponse {
  return method === 'DELETE' && accept !== 'json' && 'response' in outcome && outcome.response.status === 404;
}

function failureOf(outcome: Outcome): Failure {
  if ('error' in outcome) return { kind: 'no response', sent: outcome.sent };
  const { status, headers } = outcome.response;
  return { kind: 'response', status, retryAfterSecs: retryAfterSecsOf(headers.get('retry-after')) };
}

function requestIdOf(response: Response): string | undefined {
  return response.headers.get('x-request-id') ?? undefined;
}

/** Undefined when it is no JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `fetch` says only that it failed; why is in its cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message || (codeOf(error.cause) ?? error.message) : error.message;
}

function codeOf(error: unknown): string | undefined {
  const { code, cause } = (typeof error === 'object' && error !== null ? error : {}) as {
    code?: unknown;
    cause?: unknown;
  };
  if (typeof code === 'string') return code;
  return cause === undefined ? undefined : codeOf(cause);
}
