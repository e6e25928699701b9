import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { apiTypes } from './api-types.ts';

const read = (file: string) => readFile(path.join(import.meta.dirname, '..', file), 'utf8');

it('the types of the API are current (npm run generate)', async () => {
  const document = JSON.parse(await read('../openapi.json')) as object;
  expect(await apiTypes(document)).toBe(await read('app/api/schema.d.ts'));
});
