import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Plugin, ViteDevServer } from 'vite';

// oxlint-disable-next-line node/no-process-env -- a program of its own, for developers
export const stackUrl = process.env['PARLEY_URL'] ?? 'http://127.0.0.1:8080';

/** What the stack itself serves to the development server's pages, besides their documents. */
export const STACK_PATHS =
  '^/(api|account|cable|assets|media|recordings|prompts|signin|signout|oauth|forgot-password|reset-password|invitations)\\b';

/** The gateway's documents with the modules of the sources in place of the bundle; without its policy, which forbids what Vite adds. */
export const documentsOfStack: Plugin = {
  name: 'documents of the stack',
  configureServer(vite) {
    vite.middlewares.use((request, response, next) => {
      const address = request.originalUrl ?? '/';
      if (!/^\/(dashboard\b.*)?$/.test(address) || request.method !== 'GET') next();
      else serveDocument(vite, address, request.headers, response).catch(next);
    });
  },
};

async function serveDocument(
  vite: ViteDevServer,
  address: string,
  { cookie = '', accept = '', 'accept-language': language = '' }: IncomingHttpHeaders,
  response: ServerResponse,
): Promise<void> {
  const headers = { cookie, accept, 'accept-language': language };
  const answer = await fetch(new URL(address, stackUrl), { headers, redirect: 'manual' });
  const location = answer.headers.get('location');
  if (location !== null) response.setHeader('Location', location);
  response.setHeader('Content-Type', answer.headers.get('content-type') ?? 'text/html');
  const cookies = answer.headers.getSetCookie();
  if (cookies.length > 0) response.setHeader('Set-Cookie', cookies);
  response.statusCode = answer.status;
  const document = (await answer.text())
    .replaceAll(/<link rel="(icon|manifest|stylesheet|preload|modulepreload)"[^>]*>/g, '')
    .replace('/assets/app.js', '/main.tsx');
  response.end(await vite.transformIndexHtml(address, document));
}
