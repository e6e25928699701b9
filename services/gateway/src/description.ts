import { type Api, apiPageSecurityPolicy, openApiDocument, renderApiPage } from '@parley/http';
import express, { type Router } from 'express';
import { publicTags, securitySchemes } from './public-api.ts';

/** The OpenAPI document and the page made from it; both are what the routes themselves say. */
export function descriptionRouter(api: Api, publicUrl: string): Router {
  const document = openApiDocument({
    title: 'Parley API',
    version: '1',
    description: 'A business phone system: numbers, calls, contacts, texts and webhooks.',
    apis: [api],
    tags: publicTags,
    servers: [{ url: publicUrl }],
    securitySchemes,
  });
  const page = renderApiPage(document);
  return express
    .Router()
    .get('/openapi.json', (_request, response) => void response.json(document))
    .get(
      '/docs',
      (_request, response) =>
        void response.set('Content-Security-Policy', apiPageSecurityPolicy).type('html').send(page),
    );
}
