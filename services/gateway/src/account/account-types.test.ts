import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { apiTypes } from '../../dashboard/src/api-types.ts';
import { accountApiDocument } from '../api-docs/api-document.ts';

it('the types of the account for the dashboard are current (npm run generate)', async () => {
  const file = path.join(import.meta.dirname, '../../dashboard/app/api/account-schema.d.ts');
  expect(await apiTypes(accountApiDocument())).toBe(await readFile(file, 'utf8'));
});
