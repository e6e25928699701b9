import { createRequire } from 'node:module';
import path from 'node:path';
import type { Api } from '@parley/http';
import express, { type Router } from 'express';
import { apiDocsPage } from './api-docs-page.ts';
import { describeApi } from './api-document.ts';

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

/** The OpenAPI document, and the API reference with a request console that is made from it. */
export function apiDocsRouter(api: Api, publicUrl: string): Router {
  const document = describeApi(api, publicUrl);
  const page = apiDocsPage(document);
  const router = express
    .Router({ caseSensitive: true, strict: true })
    .get('/openapi.json', (_request, response) => void response.json(document))
    .get('/docs', (_request, response) => {
      response.set('Content-Security-Policy', SECURITY_POLICY).set('Referrer-Policy', 'no-referrer');
      response.type('html').send(page);
    });
  for (const [root, files] of [[SWAGGER_UI, SWAGGER_UI_FILES] as const, [ASSETS, OWN_FILES] as const]) {
    for (const file of files)
      router.get(`/docs/${file}`, (_request, response) => {
        response.set('Cache-Control', 'public, max-age=3600').sendFile(file, { root, cacheControl: false });
      });
  }
  return router;
}
