import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Logger } from '@parley/telemetry';
import express, { type Request, type Router } from 'express';

/** Vite's manifest: the files by their source. */
type Manifest = Readonly<Record<string, { file: string; imports?: readonly string[] } | undefined>>;

export interface DashboardFiles {
  readonly router: Router;
  /** The names of the scripts that a section begins with, so that the document can name all of them. */
  readonly scriptsOf: (section: string) => readonly string[];
}

/** A name that contains a hash of the content, which therefore never changes. */
const HASHED = /-[\w-]{8}\.\w+$/;

/** Browsers name gzip first, with the same preference. */
const ENCODINGS = [
  { encoding: 'br', suffix: '.br' },
  { encoding: 'gzip', suffix: '.gz' },
];

/** Serves the built browser application from its folder. Without it the API works, and a person can sign in, but sees nothing. */
export function dashboardFiles(folder: string, log: Pick<Logger, 'warn'>): DashboardFiles {
  const manifestFile = path.join(folder, '.vite/manifest.json');
  const isBuilt = existsSync(manifestFile);
  if (!isBuilt) log.warn({ folder }, 'the dashboard is not built');
  const manifest = (isBuilt ? JSON.parse(readFileSync(manifestFile, 'utf8')) : {}) as Manifest;
  const names = new Set(isBuilt ? readdirSync(folder) : []);
  const router = express
    .Router({ caseSensitive: true, strict: true })
    .get('/assets/:name', (request: Request<{ name: string }>, response, next) => {
      const { name } = request.params;
      if (!names.has(name)) return next();
      const compressed = ENCODINGS.find(
        ({ encoding, suffix }) => names.has(name + suffix) && request.acceptsEncodings(encoding),
      );
      if (compressed) response.set('Content-Encoding', compressed.encoding);
      response
        .type(path.extname(name))
        .set('Vary', 'Accept-Encoding')
        // The worker of the installed application is for its pages, not only for its files.
        .set('Service-Worker-Allowed', '/dashboard/')
        .set('Cache-Control', HASHED.test(name) ? 'public, max-age=31536000, immutable' : 'public, no-cache')
        .sendFile(name + (compressed?.suffix ?? ''), { root: folder, acceptRanges: false, cacheControl: false });
    })
    // Pages of the dashboard have no trailing slash; an address with one leads to the page.
    .get(['/dashboard/', '/dashboard/:section/', '/dashboard/:section/:item/'], (request, response) => {
      response.redirect(308, request.originalUrl.replace(/\/(?=\?|$)/, ''));
    });
  return { router, scriptsOf: (section) => scriptsOf(manifest, ['main.tsx', `${section}/index.tsx`]) };
}

/** The scripts of the sources and everything that they import at once. */
function scriptsOf(manifest: Manifest, sources: readonly string[]): readonly string[] {
  const found = new Set(sources);
  // Iterating a set includes what is added to it meanwhile.
  for (const source of found) for (const imported of manifest[source]?.imports ?? []) found.add(imported);
  return [...found].flatMap((source) => manifest[source]?.file ?? []);
}
