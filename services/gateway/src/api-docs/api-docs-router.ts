import { createRequire } from 'node:module';
import path from 'node:path';
import { type Api, markup, type OpenApiDocument } from '@parley/http';
import express, { type Response, type Router } from 'express';
import { describeApi } from './api-document.ts';
import type { BaseUrl } from '../well-known/base-url.ts';
import { asyncApiDocument } from './async-api-document.ts';
import { DOCS_PAGE_POLICY } from './docs-page.ts';
import { eventsPage } from './events-page/events-page.ts';
import { guidePage, guidesPage } from './guides/guide-pages.ts';

/** Swagger UI's published files, served from its package: nothing is loaded from anywhere else. */
const SWAGGER_UI = path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
const SWAGGER_UI_FILES = ['swagger-ui-bundle.js', 'swagger-ui.css', 'favicon-32x32.png'];
const ASSETS = path.join(import.meta.dirname, 'assets');
const OWN_FILES = ['start.js', 'page.css'];

/** Scripts and styles come from here and are files; the request console may call this API and nothing else. */
const SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The OpenAPI and AsyncAPI documents, the API reference with a request console, the reference of all events, and the guides. */
export function apiDocsRouter(api: Api, publicUrl: string, baseUrl: BaseUrl): Router {
  const document = describeApi(api, publicUrl);
  const asyncDocument = asyncApiDocument(publicUrl);
  const [page, events, guides] = [apiDocsPage(document), eventsPage(), guidesPage()];
  const router = express
    .Router({ caseSensitive: true, strict: true })
    .get('/openapi.json', (_request, response) => void response.json(document))
    .get('/asyncapi.json', (_request, response) => void response.json(asyncDocument))
    .get('/docs', (_request, response) => sendPage(response, page, SECURITY_POLICY))
    .get('/docs/events', (_request, response) => sendPage(response, events, DOCS_PAGE_POLICY))
    .get('/docs/guides', (_request, response) => sendPage(response, guides, DOCS_PAGE_POLICY))
    .get('/docs/guides/:name', (request, response, next) => {
      const guide = guidePage(request.params.name, baseUrl(request));
      if (guide === undefined) next();
      else sendPage(response, guide, DOCS_PAGE_POLICY);
    });
  for (const [root, files] of [[SWAGGER_UI, SWAGGER_UI_FILES] as const, [ASSETS, OWN_FILES] as const]) {
    for (const file of files)
      router.get(`/docs/${file}`, (_request, response) => {
        response.set('Cache-Control', 'public, max-age=3600').sendFile(file, { root, cacheControl: false });
      });
  }
  return router;
}

function sendPage(response: Response, page: string, policy: string): void {
  response.set('Content-Security-Policy', policy).set('Referrer-Policy', 'no-referrer').type('html').send(page);
}

/** The page that Swagger UI fills; without JavaScript it is at least a list of the endpoints. */
function apiDocsPage({ info, paths }: OpenApiDocument): string {
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { summary }]) => ({ method: method.toUpperCase(), path, summary })),
  );
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${info.title}</title>
<link rel="icon" type="image/png" href="docs/favicon-32x32.png">
<link rel="stylesheet" href="docs/swagger-ui.css">
<link rel="stylesheet" href="docs/page.css">
</head>
<body>
<main id="api-reference"></main>
<noscript>
<h1>${info.title}</h1>
<p>The API reference needs JavaScript. <a href="openapi.json">openapi.json</a> has everything it shows.</p>
<ul>${operations.map(({ method, path, summary }) => markup`<li><code>${method} ${path}</code> ${summary}</li>\n`)}</ul>
</noscript>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`.html;
}
