import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { publicApiDocument } from './api-document.ts';
import { authorizationServer } from '../well-known/discovery-endpoints.ts';

describe('the OpenAPI document', () => {
  it('the OpenAPI document is committed as it is; after a change of routes run "npm run generate"', () => {
    const committed: unknown = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'));
    expect(committed).toEqual(JSON.parse(JSON.stringify(publicApiDocument())));
  });

  it('the OpenAPI document describes every operation beyond its summary', () => {
    const operations = Object.entries(publicApiDocument().paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, ...operation })),
    );
    expect(operations.length).toBeGreaterThan(100);
    const isUndescribed = ({ summary, description = '' }: { summary?: string; description?: string }) =>
      description.trim().length < 20 || description === summary;
    expect(operations.filter(isUndescribed).map(({ name }) => name)).toEqual([]);
  });

  it('the OpenAPI document has every endpoint that apps need before they have a credential, without security', async () => {
    const { paths } = publicApiDocument();
    const metadata = await authorizationServer(() => '', '').handle({ request: {} } as Parameters<
      ReturnType<typeof authorizationServer>['handle']
    >[0]);
    const endpoints = Object.entries(('body' in metadata ? metadata.body : {}) as Record<string, unknown>)
      .filter(([name]) => name.endsWith('_endpoint'))
      .map(([, path]) => String(path));
    expect(endpoints).toHaveLength(5);
    for (const path of endpoints)
      expect([path, Object.values(paths[path] ?? {}).map(({ security }) => security)]).toEqual([path, [[]]]);
  });
});
