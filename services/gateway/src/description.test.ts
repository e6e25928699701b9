import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { publicApiDocument } from './description.ts';

describe('the description of the public API', () => {
  it('is committed as it is; after a change of routes run "npm run generate"', () => {
    const committed: unknown = JSON.parse(readFileSync(new URL('../openapi.json', import.meta.url), 'utf8'));
    expect(committed).toEqual(JSON.parse(JSON.stringify(publicApiDocument())));
  });
});
