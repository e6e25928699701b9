import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from '@jest/globals';

const APP = path.join(import.meta.dirname, '../app');

it('every class that a component uses is in its style sheet', async () => {
  const files = (await readdir(APP, { recursive: true })).filter((name) => name.endsWith('.tsx'));
  const missing: string[] = [];
  for (const file of files) {
    const source = await readFile(path.join(APP, file), 'utf8');
    for (const [, name, sheet] of source.matchAll(/import (\w+) from '([^']+\.module\.css)'/g)) {
      const style = await readFile(path.join(APP, path.dirname(file), sheet!), 'utf8');
      for (const [, used] of source.matchAll(new RegExp(`\\b${name}\\['([\\w-]+)'\\]`, 'g')))
        if (!new RegExp(`\\.${used}(?![\\w-])`).test(style)) missing.push(`${file}: ${used}`);
    }
  }
  expect(missing).toEqual([]);
});
