import type { NextFunction, Request, Response } from 'express';

const HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Methods': 'GET, POST',
  'Access-Control-Allow-Headers': 'Authorization, Content-Type, MCP-Protocol-Version',
  'Access-Control-Max-Age': '86400',
};

/**
 * Middleware: lets apps that run in a browser call the OAuth endpoints from their own pages. Nothing there looks at a
 * cookie, so no page can do with them what it could not do from anywhere else.
 */
export function allowCrossOrigin({ method, path }: Request, response: Response, next: NextFunction): void {
  const isOAuth = path.startsWith('/oauth/') || path.startsWith('/.well-known/oauth-');
  if (!isOAuth || path === '/oauth/authorize') return next();
  response.set(HEADERS);
  if (method !== 'OPTIONS') return next();
  response.status(204).end();
}
