import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { iconComponents } from './lucide-icons.ts';

it('the icons are current (npm run generate)', async () => {
  const committed = path.join(import.meta.dirname, '../app/ui/icons/lucide.tsx');
  expect(await iconComponents()).toBe(await readFile(committed, 'utf8'));
});
