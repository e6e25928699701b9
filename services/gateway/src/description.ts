import {
  type Api,
  apiPageSecurityPolicy,
  createApi,
  type OpenApiDocument,
  openApiDocument,
  renderApiPage,
} from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import express, { type Router } from 'express';
import { documentedOAuthEndpoints } from './oauth/index.ts';
import type { Clients } from './peers.ts';
import { publicEndpoints, publicTags, securitySchemes } from './public-api.ts';

/** Routes that are only described call nobody. */
const unconnected = {} as Clients;

/** The OpenAPI document and the page made from it; both are what the routes themselves say. */
export function descriptionRouter(api: Api, publicUrl: string): Router {
  const document = describe(api, publicUrl);
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

/** The description of the public API without a running gateway; committed, so that a change of the contract is seen in review. */
export function publicApiDocument(): OpenApiDocument {
  const nobody = () => Promise.reject(new Error('this API is only described'));
  const api = createApi<EmployeePrincipal>({
    prefix: '/api/v1',
    endpoints: publicEndpoints(unconnected, () => {}),
    authenticate: nobody,
  });
  return describe(api, 'http://127.0.0.1:8080');
}

function describe(api: Api, publicUrl: string): OpenApiDocument {
  const oauth = { prefix: '', endpoints: documentedOAuthEndpoints(unconnected), authenticated: false, limited: false };
  return openApiDocument({
    title: 'Parley API',
    version: '1',
    description: 'A business phone system: numbers, calls, contacts, texts and webhooks.',
    apis: [api, oauth],
    tags: publicTags,
    servers: [{ url: publicUrl }],
    securitySchemes,
  });
}
