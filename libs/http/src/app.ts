import type { RequestListener } from 'node:http';
import express, { type NextFunction, type Request, type Response, type Router } from 'express';
import type { Api, HttpLog } from './api.ts';
import { errorResponse, notFoundResponse } from './error-responses.ts';
import { requestIdOf } from './request-id.ts';
import { writeAnswer } from './send-response.ts';

/** What one port serves. */
export interface AppOptions {
  /** Asked in order, before anything else. */
  readonly apis: readonly Api[];
  /** Pages and whatever else is no API. */
  readonly routers?: readonly Router[];
  readonly log: HttpLog;
}

/**
 * What listens on one port: the APIs, then the routers in an Express application. The APIs stand in front of Express,
 * because they need nothing of it and it would add half again to the cost of a request. What nobody answers is the
 * same 404, and what a router throws is the same error, as in an API.
 */
export function createApp({ apis, routers = [], log }: AppOptions): RequestListener {
  const app = express().disable('x-powered-by').disable('etag');
  app.use(nameRequest);
  for (const router of routers) app.use(router);
  app.use((request: Request, response: Response) => writeAnswer(request, response, notFoundResponse, []));
  app.use((error: unknown, request: Request, response: Response, _next: NextFunction) => {
    const requestId = String(response.getHeader('X-Request-Id'));
    // Express says so when it cannot decode a parameter: such a path names nothing.
    const { answer, failure } =
      error instanceof URIError ? { answer: notFoundResponse, failure: false } : errorResponse(error, requestId);
    if (failure) log.error({ err: error, request_id: requestId, method: request.method }, 'request failed');
    if (response.headersSent) response.destroy();
    else return writeAnswer(request, response, answer, []);
  });
  return apis.reduceRight<RequestListener>(
    (next, api) => (request, response) => api.handle(request, response, () => next(request, response)),
    app,
  );
}

function nameRequest(request: Request, response: Response, next: NextFunction): void {
  response.setHeader('X-Request-Id', requestIdOf(request));
  next();
}
