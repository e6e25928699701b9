import type { IncomingMessage } from 'node:http';
import express, { type NextFunction, type Request, type RequestHandler, type Response, type Router } from 'express';
import { BODY_BYTES_MAX, bodyParser, bytesParser, streamOpener } from '../input/body-parser.ts';
import { assertAccessDeclared, authorize } from './access.ts';
import { checkResponse } from './check-response.ts';
import type { Endpoint } from './endpoint.ts';
import { inputReader } from './endpoint-input.ts';
import { codeError, HttpError } from '../responses/error-responses.ts';
import { groupByPath } from './paths.ts';
import type { RateLimiter } from './rate-limit.ts';
import { sendResponse } from '../responses/send-response.ts';

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
