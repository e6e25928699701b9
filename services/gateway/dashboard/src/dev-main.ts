import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import path from 'node:path';
import { createServer, type Plugin, type ViteDevServer } from 'vite';
import { COMPILED_MEDIA, CSS_MODULES } from './css-modules.ts';
import { CUSTOM_MEDIA } from './tokens.ts';

/**
 * `npm run dev`: the dashboard with hot reload beside a running stack (`npm start`), whose documents, API and live channel it passes on.
 * `PARLEY_URL` is the stack, `PORT` where to listen.
 */
/* oxlint-disable node/no-process-env -- a program of its own, for developers */
const stack = process.env['PARLEY_URL'] ?? 'http://127.0.0.1:8080';
const port = Number(process.env['PORT'] ?? 5173);

/** The path of the application's modules, separate from the addresses of the stack. */
const MODULES = '/modules/';

/** The stack itself serves these; it also renders the documents, see below. */
const OF_STACK =
  /^\/(api|account|cable|assets|media|recordings|prompts|signin|signout|oauth|forgot-password|reset-password|invitations)\b/;

const customMedia: Plugin = {
  name: 'custom media',
  enforce: 'pre',
  transform: (code, id) => (id.endsWith('.module.css') ? `${CUSTOM_MEDIA}${code}` : undefined),
};

const server = await createServer({
  root: path.join(import.meta.dirname, '../app'),
  base: MODULES,
  configFile: false,
  appType: 'custom',
  css: { transformer: 'lightningcss', lightningcss: { cssModules: CSS_MODULES, ...COMPILED_MEDIA } },
  oxc: { jsx: { runtime: 'automatic' } },
  server: {
    port,
    strictPort: true,
    host: '127.0.0.1',
    fs: { allow: [path.join(import.meta.dirname, '../../../..')] },
    proxy: { [OF_STACK.source]: { target: stack, ws: true, headers: { origin: stack } } },
  },
  plugins: [customMedia, { name: 'documents of the stack', configureServer: serveDocuments }],
});
await server.listen();
server.printUrls();

/** The gateway's document with the modules of the sources in place of the bundle; without its policy, which forbids what Vite adds. */
function serveDocuments(vite: ViteDevServer): void {
  vite.middlewares.use((request, response, next) => {
    const address = request.originalUrl ?? '/';
    if (!/^\/(dashboard\b.*)?$/.test(address) || request.method !== 'GET') next();
    else serveDocument(vite, address, request.headers, response).catch(next);
  });
}

async function serveDocument(
  vite: ViteDevServer,
  address: string,
  { cookie = '', accept = '', 'accept-language': language = '' }: IncomingHttpHeaders,
  response: ServerResponse,
): Promise<void> {
  const headers = { cookie, accept, 'accept-language': language };
  const answer = await fetch(new URL(address, stack), { headers, redirect: 'manual' });
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
