import express, { type Express, type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import type { Api, Observe } from '../endpoints/api.ts';
import { notFoundResponse, handleErrors, type HttpLog } from '../responses/error-responses.ts';
import { type EndpointResponse, sendResponse } from '../responses/response.ts';
import { newRequestId } from './raw-requests.ts';

declare global {
  namespace Express {
    /** The fields of `response.locals` that middleware sets. */
    interface Locals {
      requestId: string;
      /** `/api/v1/contacts/:id`, never the path itself; undefined for an undeclared path. */
      template?: string;
      /** The result of `authenticate`. */
      context: unknown;
    }
  }
}

export interface AppOptions {
  /** In front of everything else. */
  readonly middleware?: readonly RequestHandler[];
  readonly apis: readonly Api[];
  /** Pages and other routes that are no API; matched after the APIs. */
  readonly routers?: readonly RequestHandler[];
  readonly log: HttpLog;
  /** Called for requests of undeclared paths. */
  readonly observe?: Observe;
  /** Answers some of them with something else than the error. */
  readonly notFound?: (request: Request) => EndpointResponse | undefined;
}

/**
 * The Express application that listens on one port. Every response has a request id, is not cached or sniffed
 * unless it sets its own headers, and has the same body for the same error.
 */
export function createApp({ middleware = [], apis, routers = [], log, observe, notFound }: AppOptions): Express {
  const app = express()
    .disable('x-powered-by')
    .disable('etag')
    .enable('case sensitive routing')
    .enable('strict routing')
    .set('query parser', (text: string | null) => new URLSearchParams(text ?? ''));
  app.use(assignRequestId, setDefaultHeaders, ...middleware);
  for (const { prefix, router } of apis) app.use(prefix === '' ? '/' : prefix, router);
  for (const router of routers) app.use(router);
  if (observe) app.use(observe({ template: undefined }));
  app.use((request: Request, response: Response) => sendResponse(response, notFound?.(request) ?? notFoundResponse));
  app.use(handleErrors(log));
  return app;
}

/** Only these may be repeated unchanged in a header and a log line. */
const VALID_REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/;

/** Names the request by the client's own `X-Request-Id` if it is valid, else by a new one. */
function assignRequestId({ headers }: Request, response: Response, next: NextFunction): void {
  const own = headers['x-request-id'];
  const requestId = typeof own === 'string' && VALID_REQUEST_ID.test(own) ? own : newRequestId();
  response.locals.requestId = requestId;
  response.setHeader('X-Request-Id', requestId);
  next();
}

/** Responses are private to the client and must not be sniffed as another type. */
function setDefaultHeaders(_request: Request, response: Response, next: NextFunction): void {
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('X-Content-Type-Options', 'nosniff');
  next();
}
