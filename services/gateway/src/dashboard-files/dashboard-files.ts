import { bundleDashboard, type Dashboard, type DashboardFile, scriptsOf } from '@parley/dashboard';
import express, { type Request, type RequestHandler, type Response, type Router } from 'express';

export interface DashboardFiles {
  readonly whenSigningIn: RequestHandler;
  readonly router: Router;
  /** The names of the scripts that a section begins with; empty before any was loaded. */
  readonly scriptsOf: (section: string) => readonly string[];
}

/** The files of the browser application. They are bundled while somebody signs in, so that the first page has them at once. */
export function dashboardFiles(loadFiles = bundleOnce()): DashboardFiles {
  let loaded: Dashboard = new Map();
  const router = express
    .Router({ caseSensitive: true, strict: true })
    .get('/assets/:name', async (request, response, next) => {
      loaded = await loadFiles();
      const file = loaded.get(request.params.name);
      if (file) sendFile(request, response, file);
      else next();
    });
  const whenSigningIn: RequestHandler = ({ path }, _response, next) => {
    // A failure is reported by the request that needs the files.
    if (path === '/signin') loadFiles().catch(() => undefined);
    next();
  };
  return { whenSigningIn, router, scriptsOf: (section) => scriptsOf(loaded, section) };
}

/** Bundled when it is first needed; a failure is not kept. */
function bundleOnce(): () => Promise<Dashboard> {
  let bundle: Promise<Dashboard> | undefined;
  return () =>
    (bundle ??= bundleDashboard().catch((error: unknown) => {
      bundle = undefined;
      throw error;
    }));
}

function sendFile(request: Request, response: Response, file: DashboardFile): void {
  // Browsers name gzip first, with the same preference.
  const encoding = request.acceptsEncodings('br') || request.acceptsEncodings('gzip');
  const body = encoding === 'br' ? file.brotli : encoding === 'gzip' ? file.gzip : file.body;
  if (encoding) response.set('Content-Encoding', encoding);
  response
    .set('Content-Type', file.contentType)
    .set('Vary', 'Accept-Encoding')
    // The worker of the installed application is for its pages, not only for its files.
    .set('Service-Worker-Allowed', '/dashboard/')
    .set('Cache-Control', file.immutable ? 'public, max-age=31536000, immutable' : 'public, no-cache')
    .set('ETag', `"${file.hash}${encoding ? `-${encoding}` : ''}"`);
  if (request.fresh) response.status(304).end();
  else response.end(body);
}
