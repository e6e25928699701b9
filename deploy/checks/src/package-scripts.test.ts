import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { root } from './root.ts';

const { packages } = parse(readFileSync(path.join(root, 'pnpm-workspace.yaml'), 'utf8')) as { packages: string[] };
const folders = globSync(
  packages.map((pattern) => `${pattern}/package.json`),
  { cwd: root },
).map((file) => path.dirname(file));

function scriptsOf(folder: string): Record<string, string> {
  const text = readFileSync(path.join(root, folder, 'package.json'), 'utf8');
  return (JSON.parse(text) as { scripts?: Record<string, string> }).scripts ?? {};
}

describe('every package', () => {
  it.each(folders)('the package %s runs its tests with npm test', (folder) => {
    const bootstrap = `${'../'.repeat(folder.split('/').length)}deploy/bootstrap/bootstrap.mjs`;
    const what = folder === 'proto' ? 'deploy/checks/src/check.ts' : `deploy/checks/src/test.ts --in ${folder}`;
    expect(scriptsOf(folder)['test']).toContain(`exec node ${bootstrap} ${what}`);
  });

  it.each(folders.filter((folder) => /^services\/[^/]+$/.test(folder)))(
    'the package %s runs alone with npm start',
    (folder) => {
      const start = `deploy/bootstrap/bootstrap.mjs deploy/local/src/main.ts ${path.basename(folder)}`;
      expect(scriptsOf(folder)['start']).toContain(start);
    },
  );
});
