import type { Api, Handle } from '@parley/http';

const HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Methods': 'GET, POST',
  'Access-Control-Allow-Headers': 'Authorization, Content-Type, MCP-Protocol-Version',
  'Access-Control-Max-Age': '86400',
};

/**
 * Lets apps that run in a browser call these endpoints from their own pages. Nothing here looks at a cookie, so no
 * page can do with them what it could not do from anywhere else.
 */
export function openToPages(api: Api): Api {
  const handle: Handle = (request, response, next) => {
    const path = (request.url ?? '').split('?', 1)[0] ?? '';
    const isOurs = path.startsWith('/oauth/') || path.startsWith('/.well-known/oauth-');
    if (!isOurs || path === '/oauth/authorize') return api.handle(request, response, next);
    for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
    if (request.method !== 'OPTIONS') return api.handle(request, response, next);
    response.writeHead(204).end();
  };
  return { ...api, handle };
}
