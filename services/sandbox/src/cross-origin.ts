import type { IncomingMessage, ServerResponse } from 'node:http';

const METHODS = 'GET, POST, PUT, DELETE';
const PREFLIGHT_MAX_AGE_SECS = 600;

/** The origins of the service's own pages: its public address, and the names by which a browser on this machine calls its port. */
export function ownOrigins(publicUrl: string | undefined): ReadonlySet<string> {
  if (publicUrl === undefined) return new Set();
  const { origin, protocol, port } = new URL(publicUrl);
  const local = ['127.0.0.1', 'localhost'].map((host) => new URL(`${protocol}//${host}:${port}`).origin);
  return new Set([origin, ...local]);
}

/** Lets pages of these origins use the API from a browser (CORS). Pages of other sites are refused before. */
export function allowOrigins(origins: ReadonlySet<string>) {
  return (request: IncomingMessage, response: ServerResponse, next: () => void): void => {
    response.appendHeader('Vary', 'Origin');
    const { origin } = request.headers;
    if (origin === undefined || !origins.has(origin)) return next();
    response.setHeader('Access-Control-Allow-Origin', origin);
    if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) return next();
    response
      .writeHead(204, {
        'Access-Control-Allow-Methods': METHODS,
        'Access-Control-Allow-Headers': 'Content-Type',
        'Access-Control-Max-Age': PREFLIGHT_MAX_AGE_SECS,
      })
      .end();
  };
}
