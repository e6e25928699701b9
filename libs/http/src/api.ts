import type { IncomingMessage, ServerResponse } from 'node:http';
import { type EndpointResponse, type ResponseHeaders, json } from './response.ts';
import { BODY_BYTES_MAX, ClientGone } from './body.ts';
import { checkResponse } from './check-response.ts';
import { compileEndpoints, type Resource } from './compiled-endpoint.ts';
import { codeResponse, errorResponse, notFoundResponse } from './error-responses.ts';
import { type Arrival, readInput } from './input.ts';
import type { Match } from './matcher.ts';
import type { RateLimiter } from './rate-limit.ts';
import { requestIdOf } from './request-id.ts';
import type { Endpoint } from './endpoint.ts';
import { targetOf } from './target.ts';
import { addHeaders, type RawHeaders, writeAnswer } from './send-response.ts';

/** The part of a logger that is needed here; pino fits. */
export interface HttpLog {
  error(fields: object, message: string): void;
  debug(fields: object, message: string): void;
}

/** A request that is about to be served. */
export interface RequestStart {
  readonly request: IncomingMessage;
  readonly requestId: string;
  readonly method: string;
  /** The template, `/api/v1/contacts/:id`, never the path itself; undefined for a path nobody declared. */
  readonly route: string | undefined;
}

/** How a request ended. 499: the client left before it had its answer. */
export interface RequestEnd {
  readonly status: number;
  /** What was thrown, refusals included. */
  readonly error?: unknown;
}

/** Wraps the serving of every request: the one place for spans, durations and counters. */
export type Around = (start: RequestStart, next: () => Promise<RequestEnd>) => Promise<RequestEnd>;

/** Serves a request, or hands it on; fits both `http.createServer` and `app.use` of Express. */
export type Handle = (request: IncomingMessage, response: ServerResponse, next?: (error?: unknown) => void) => void;

interface ApiBasics<Context> {
  /** `/api/v1`, or the empty string for the root. */
  readonly prefix: string;
  readonly endpoints: readonly Endpoint<Context>[];
  readonly log: HttpLog;
  /** The general limit; none unless given. */
  readonly limit?: { readonly limiter: RateLimiter; keyOf(context: Context, request: IncomingMessage): string };
  readonly around?: Around;
  /** Checks every answer against its declaration; for tests and the local stack. */
  readonly checkResponses?: boolean;
  /** On every answer, unless the answer itself says otherwise. */
  readonly headers?: ResponseHeaders;
  /** Hands unknown paths to the next handler instead of answering 404. */
  readonly passUnknown?: boolean;
  readonly bodyBytesMax?: number;
}

type Authenticate<Context> = (request: IncomingMessage) => Context | Promise<Context>;

/** What an API is made of. `authenticate` throws for a caller it does not know. */
export type ApiOptions<Context> = ApiBasics<Context> &
  (undefined extends Context
    ? { readonly authenticate?: Authenticate<Context> }
    : { readonly authenticate: Authenticate<Context> });

/** Routes that are served, and what a description needs to know about them. */
export interface Api {
  readonly prefix: string;
  readonly endpoints: readonly Endpoint<never>[];
  readonly authenticated: boolean;
  readonly limited: boolean;
  readonly handle: Handle;
}

/** Answers belong to one caller and are JSON, whatever a browser or a proxy would like to make of them. */
const SAFE_HEADERS: ResponseHeaders = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };

/**
 * Makes an API of route declarations. Order of events: known path (else 404), credential (401), limit (429),
 * method (405), input (400, 404, 413, 415, 422), handler.
 */
export function createApi<Context = undefined>(options: ApiOptions<Context>): Api {
  const { prefix, endpoints: routes, log, limit, around, checkResponses = false, passUnknown = false } = options;
  const { bodyBytesMax = BODY_BYTES_MAX } = options;
  const authenticate = options.authenticate as Authenticate<Context> | undefined;
  const match = compileEndpoints(prefix, routes);
  const always: RawHeaders = [];
  addHeaders(always, { ...SAFE_HEADERS, ...options.headers });

  const handle: Handle = (request, response, next) => {
    const target = targetOf(request, prefix);
    if (target === undefined && next !== undefined) return next();
    const found = target && match(target.path);
    if (found === undefined && passUnknown && next !== undefined) return next();
    const requestId = requestIdOf(request);
    const serveIt = () => serve(request, response, requestId, found, target?.query ?? '');
    const start = { request, requestId, method: request.method ?? '', route: found?.value.template };
    const served = around === undefined ? serveIt() : Promise.try(around, start, serveIt);
    served.catch((error: unknown) => hookFailed(request, response, requestId, error));
  };

  /** A hook that failed before it called `next` must not leave the client waiting. */
  function hookFailed(request: IncomingMessage, response: ServerResponse, requestId: string, error: unknown): void {
    log.error({ err: error, request_id: requestId }, 'request hook failed');
    if (response.headersSent || response.destroyed) return;
    void writeAnswer(request, response, errorResponse(error, requestId).answer, ['X-Request-Id', requestId, ...always]);
  }

  async function serve(
    request: IncomingMessage,
    response: ServerResponse,
    requestId: string,
    found: Match<Resource<Context>> | undefined,
    query: string,
  ): Promise<RequestEnd> {
    const headers: RawHeaders = ['X-Request-Id', requestId, ...always];
    try {
      const given = await answerTo(request, response, requestId, found, query, headers);
      if (response.destroyed) return { status: 499 };
      await writeAnswer(request, response, given, headers);
      return { status: response.statusCode };
    } catch (error) {
      const fields = { request_id: requestId, method: request.method, route: found?.value.template };
      return { status: await answerError(request, response, error, headers, fields), error };
    }
  }

  async function answerTo(
    request: IncomingMessage,
    response: ServerResponse,
    requestId: string,
    found: Match<Resource<Context>> | undefined,
    query: string,
    headers: RawHeaders,
  ): Promise<EndpointResponse> {
    if (found === undefined) return notFoundResponse;
    const context = (authenticate === undefined ? undefined : await authenticate(request)) as Context;
    if (limit !== undefined) {
      const admission = limit.limiter.consume(limit.keyOf(context, request));
      addHeaders(headers, admission.headers);
      if (!admission.allowed) return codeResponse(429, 'rate_limited');
    }
    const endpoint = found.value.endpoints[request.method ?? ''];
    if (endpoint === undefined) return json(405, { error: 'method_not_allowed' }, { Allow: found.value.allow });
    addHeaders(headers, endpoint.headers);
    const arrival: Arrival<Context> = { request, response, requestId, parameters: found.parameters, query, context };
    const given = await endpoint.endpoint.handle(await readInput(endpoint, arrival, bodyBytesMax));
    return checkResponses ? checkResponse(endpoint.endpoint, given) : given;
  }

  async function answerError(
    request: IncomingMessage,
    response: ServerResponse,
    error: unknown,
    headers: RawHeaders,
    fields: { request_id: string },
  ): Promise<number> {
    if (error instanceof ClientGone || response.destroyed) {
      log.debug({ ...fields, err: error }, 'client went away');
      return 499;
    }
    const { answer: given, failure } = errorResponse(error, fields.request_id);
    if (failure) log.error({ ...fields, err: error }, 'request failed');
    else log.debug({ ...fields, err: error }, 'request refused');
    // Half an answer is out: breaking the connection is the only way left to say that it is not whole.
    if (response.headersSent) response.destroy();
    else await writeAnswer(request, response, given, headers);
    return response.statusCode;
  }

  return { prefix, endpoints: routes, authenticated: authenticate !== undefined, limited: limit !== undefined, handle };
}
