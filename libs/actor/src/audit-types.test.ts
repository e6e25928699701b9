import { readFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import { auditTypes } from './audit-types.ts';

it('the types of audit entries are those that docs/audit.md lists', async () => {
  const text = await readFile(new URL('../../../docs/audit.md', import.meta.url), 'utf8');
  const listed = [...text.matchAll(/^\| `([a-z_]+\.[a-z_]+)` \| (.+?) *\|$/gm)].map(([, type, when]) => [type, when]);
  expect(listed).toEqual(Object.entries(auditTypes));
});
