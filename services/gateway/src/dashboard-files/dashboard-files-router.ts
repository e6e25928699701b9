import { createHash } from 'node:crypto';
import { bundleDashboard, type Dashboard, type DashboardFile } from '@parley/dashboard';
import express, { type Request, type Response, type Router } from 'express';

/** The files of the browser application. */
export function dashboardFilesRouter(loadFiles = bundleOnce()): Router {
  return express.Router({ caseSensitive: true, strict: true }).get('/assets/:name', async (request, response, next) => {
    const file = (await loadFiles()).get(request.params.name);
    if (file) sendFile(request, response, file);
    else next();
  });
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
  const encoding = request.acceptsEncodings(['br', 'gzip']);
  const body = encoding === 'br' ? file.brotli : encoding === 'gzip' ? file.gzip : file.body;
  if (encoding) response.set('Content-Encoding', encoding);
  response
    .set('Content-Type', file.contentType)
    .set('Vary', 'Accept-Encoding')
    .set('Cache-Control', file.immutable ? 'public, max-age=31536000, immutable' : 'public, no-cache')
    .set('ETag', `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`);
  if (request.fresh) response.status(304).end();
  else response.end(body);
}
