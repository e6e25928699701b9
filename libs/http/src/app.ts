import express, { type Express, type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import type { Api, Observe } from './api.ts';
import { handleErrors, type HttpLog } from './error-handler.ts';
import { notFoundResponse } from './error-responses.ts';
import { assignRequestId } from './request-id.ts';
import { sendResponse } from './send-response.ts';

/** What one port serves. */
export interface AppOptions {
  /** In front of everything else. */
  readonly middleware?: readonly RequestHandler[];
  readonly apis: readonly Api[];
  /** Pages and whatever else is no API; asked after the APIs. */
  readonly routers?: readonly RequestHandler[];
  readonly log: HttpLog;
  /** Of requests for a path that nobody declared. */
  readonly observe?: Observe;
}

/**
 * The Express application that listens on one port. Every response has a request id, is not to be cached or guessed
 * at unless it says otherwise, and has the same body for the same error, whatever produced it.
 */
export function createApp({ middleware = [], apis, routers = [], log, observe }: AppOptions): Express {
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
  app.use((_request: Request, response: Response) => sendResponse(response, notFoundResponse));
  app.use(handleErrors(log));
  return app;
}

/** Responses belong to one caller and are what they say, whatever a browser or a proxy would like to make of them. */
function setDefaultHeaders(_request: Request, response: Response, next: NextFunction): void {
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('X-Content-Type-Options', 'nosniff');
  next();
}
