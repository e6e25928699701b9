import type { IncomingMessage } from 'node:http';
import express, { type NextFunction, type Request, type RequestHandler, type Response, type Router } from 'express';
import { BODY_BYTES_MAX, bodyParser, bytesParser, streamOpener } from '../input/body-parser.ts';
import { type Endpoint, assertAccessDeclared, authorize, type ResponseShape } from './endpoint.ts';
import { inputReader } from './endpoint-input.ts';
import { codeError, HttpError } from '../responses/error-responses.ts';
import { groupByPath } from './paths.ts';
import type { RateLimiter } from './rate-limit.ts';
import { sendResponse, type EndpointResponse, type Chunk, type StreamResponse } from '../responses/response.ts';
import { z } from 'zod';

/** The facts about an endpoint that are known before a request is served. */
export interface ObservedEndpoint {
  /** `/api/v1/contacts/:id`, never the path itself; undefined for an undeclared path. */
  readonly template: string | undefined;
  /** The endpoint's own time limit, if it has one. */
  readonly timeLimitMs?: number | undefined;
}

/** Creates the middleware in front of an endpoint, for spans, durations and deadlines. */
export type Observe = (endpoint: ObservedEndpoint) => RequestHandler;

interface CommonApiOptions<Context> {
  /** `/api/v1`, or the empty string for the root. */
  readonly prefix: string;
  readonly endpoints: readonly Endpoint<Context>[];
  /** The general limit; none unless given. */
  readonly limit?: { readonly limiter: RateLimiter; keyOf(context: Context, request: IncomingMessage): string };
  readonly observe?: Observe;
  /** Checks every response against its declaration; for tests and the local stack. */
  readonly checkResponses?: boolean;
}

type Authenticate<Context> = (request: IncomingMessage) => Context | Promise<Context>;

/** `authenticate` throws for a credential it does not accept. */
export type ApiOptions<Context> = CommonApiOptions<Context> &
  (undefined extends Context
    ? { readonly authenticate?: Authenticate<Context> }
    : { readonly authenticate: Authenticate<Context> });

/** Endpoints as an Express router, and what the OpenAPI document needs of them. */
export interface Api {
  readonly prefix: string;
  readonly endpoints: readonly Endpoint<never>[];
  readonly authenticated: boolean;
  readonly limited: boolean;
  readonly router: Router;
}

/**
 * Makes an Express router of endpoint declarations. Order of events: known path (else 404 by the app), credential (401),
 * limit (429), method (405), role (403), input (400, 404, 413, 415, 422), handler.
 */
export function createApi<Context = undefined>(options: ApiOptions<Context>): Api {
  const { prefix, endpoints, limit, observe } = options;
  const authenticate = options.authenticate as Authenticate<Context> | undefined;
  const router = express.Router({ caseSensitive: true, strict: true });
  for (const [path, resource] of groupByPath(endpoints)) {
    const template = prefix + path;
    const before = (endpoint?: Endpoint<Context>): RequestHandler[] => [
      setTemplate(template),
      ...(observe ? [observe({ template, timeLimitMs: endpoint?.timeLimitMs })] : []),
      ...(authenticate ? [authenticateWith(authenticate)] : []),
      ...(limit ? [limitRate(limit)] : []),
    ];
    const route = router.route(path);
    for (const endpoint of resource.endpoints) assertAccessDeclared(endpoint);
    for (const endpoint of resource.endpoints) route[endpoint.method](before(endpoint), handlersOf(endpoint, options));
    route.all(before(), refuseMethod(resource.allow));
  }
  return { prefix, endpoints, authenticated: authenticate !== undefined, limited: limit !== undefined, router };
}

function setTemplate(template: string) {
  return (_request: Request, response: Response, next: NextFunction): void => {
    response.locals.template = template;
    next();
  };
}

function authenticateWith<Context>(authenticate: Authenticate<Context>) {
  return async (request: Request, response: Response, next: NextFunction): Promise<void> => {
    response.locals.context = await authenticate(request);
    next();
  };
}

function limitRate<Context>({ limiter, keyOf }: NonNullable<CommonApiOptions<Context>['limit']>) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const { allowed, headers } = limiter.consume(keyOf(response.locals.context as Context, request));
    for (const name in headers) response.setHeader(name, headers[name] as string);
    if (!allowed) throw codeError(429, 'rate_limited');
    next();
  };
}

function refuseMethod(allow: string): RequestHandler {
  return () => {
    throw new HttpError(405, { error: 'method_not_allowed' }, { Allow: allow });
  };
}

function handlersOf<Context>(endpoint: Endpoint<Context>, { checkResponses }: ApiOptions<Context>) {
  const readInput = inputReader(endpoint);
  const deprecation = deprecationHeaders(endpoint);
  const handle = async (request: Request, response: Response): Promise<void> => {
    for (const [name, value] of deprecation) response.setHeader(name, value);
    const given = await endpoint.handle(await readInput(request, response));
    if (response.destroyed) return;
    await sendResponse(response, checkResponses ? checkResponse(endpoint, given) : given);
  };
  return [authorizeCaller(endpoint), ...bodyParsers(endpoint), handle];
}

function authorizeCaller<Context>(endpoint: Endpoint<Context>) {
  return (request: Request, response: Response, next: NextFunction): void => {
    authorize(endpoint, response.locals.context as Context, request.params);
    next();
  };
}

/** A body is parsed even without a schema: malformed bodies are refused on every path. */
function bodyParsers<Context>(endpoint: Endpoint<Context>): RequestHandler[] {
  const { method, body, bodyBytesMax = BODY_BYTES_MAX, jsonLimits } = endpoint;
  if (body === 'bytes') return [bytesParser(bodyBytesMax)];
  if (body === 'stream') return [streamOpener(bodyBytesMax)];
  return body !== undefined || ['post', 'put', 'patch'].includes(method) ? [bodyParser(bodyBytesMax, jsonLimits)] : [];
}

/** RFC 9745 and RFC 8594. */
function deprecationHeaders<Context>({ deprecated }: Endpoint<Context>): [name: string, value: string][] {
  if (deprecated === undefined) return [];
  const since = Math.floor(instant(deprecated.since).getTime() / 1000);
  const { sunset } = deprecated;
  return [
    ['Deprecation', `@${since}`],
    ...(sunset === undefined ? [] : ([['Sunset', instant(sunset).toUTCString()]] satisfies [string, string][])),
  ];
}

function instant(text: string): Date {
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) throw new Error(`${text} is not a date`);
  return date;
}

/**
 * Verifies a response against its declaration: throws for an undeclared status, a wrong body or an undeclared field.
 * For tests and the local stack; in production the type checker is sufficient.
 */
function checkResponse<Context>(endpoint: Endpoint<Context>, response: EndpointResponse): EndpointResponse {
  const fail = (why: string) => new Error(`${endpoint.method} ${endpoint.path} responded ${response.status}: ${why}`);
  if (!(response.status in endpoint.responses)) throw fail('a status it does not declare');
  const shape = endpoint.responses[response.status] as ResponseShape;
  if (shape === null) {
    if (response.kind !== 'empty') throw fail('a body where it declares none');
    return response;
  }
  if (response.kind === 'empty') throw fail('no body where it declares one');
  if (response.kind === 'stream') return shape instanceof z.ZodType ? checkedStream(response, shape, fail) : response;
  if (!(shape instanceof z.ZodType)) {
    if (response.kind === 'json') throw fail(`JSON where it declares ${shape}`);
    return response;
  }
  if (response.kind !== 'json') throw fail('no JSON where it declares JSON');
  // Checks the form that the client receives: without undefined, with dates as text.
  checkBody(shape, JSON.parse(JSON.stringify(response.body) ?? 'null'), fail);
  return response;
}

function checkBody(shape: z.ZodType, body: unknown, fail: (why: string) => Error): void {
  const parsed = shape.safeParse(body);
  if (!parsed.success) throw fail(z.prettifyError(parsed.error));
  const extra = undeclaredField(body, parsed.data, '');
  if (extra !== undefined) throw fail(`the field ${extra} is not declared`);
}

/** A parsed object lacks the fields that its schema does not have. */
function undeclaredField(given: unknown, parsed: unknown, path: string): string | undefined {
  if (typeof given !== 'object' || given === null || typeof parsed !== 'object' || parsed === null) return undefined;
  for (const [key, value] of Object.entries(given)) {
    const at = `${path}/${key}`;
    if (!Object.hasOwn(parsed, key)) return at;
    const extra = undeclaredField(value, (parsed as Record<string, unknown>)[key], at);
    if (extra !== undefined) return extra;
  }
  return undefined;
}

/** Passes a stream on and checks all of it before its last chunk, so that an invalid one ends with an error. */
function checkedStream(response: StreamResponse, shape: z.ZodType, fail: (why: string) => Error): StreamResponse {
  async function* checked(): AsyncGenerator<Chunk> {
    const decoder = new TextDecoder();
    let text = '';
    let held: Chunk | undefined;
    for await (const chunk of response.stream) {
      if (held !== undefined) yield held;
      held = chunk;
      text += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    }
    checkBody(shape, JSON.parse(text), fail);
    if (held !== undefined) yield held;
  }
  return { ...response, stream: checked() };
}
