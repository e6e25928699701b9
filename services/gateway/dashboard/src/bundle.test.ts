import { gzipSync } from 'node:zlib';
import { expect, it } from '@jest/globals';
import { bundleDashboard, type Dashboard } from './bundle.ts';

const FIRST_PAGE_BYTES_MAX = 200_000;

/** A script and what it imports at once, and what those do. */
function withImports(files: Dashboard, name: string, found = new Set<string>()): Set<string> {
  const file = files.get(name);
  if (!file || found.has(name)) return found;
  found.add(name);
  for (const [, imported] of file.body.toString().matchAll(/(?:import|from)"\.?\/?(?:assets\/)?([\w.-]+\.js)"/g))
    withImports(files, imported!, found);
  return found;
}

it('bundles the application; its first page stays within the limit', async () => {
  const files = await bundleDashboard();
  const first = withImports(files, 'app.js');
  expect(first.size).toBeGreaterThan(1);
  // A page links no other: styles of sections are in it, each once, after those of the components.
  expect([...files.keys()].filter((name) => name.endsWith('.css'))).toEqual(['app.css']);
  const styles = files.get('app.css')!.body.toString();
  expect(styles.search(/\.navigation\S*_link/)).toBeGreaterThan(styles.search(/\.button\S*_primary/));
  expect(styles.match(/\.button[\w-]*_primary[\w-]*\{/g)).toHaveLength(1);
  const pages = [...files.keys()].filter((name) =>
    /^(inbox|calls|contacts|home|numbers|team|settings)-.*\.js$/.test(name),
  );
  expect(pages.length).toBeGreaterThanOrEqual(7);
  for (const page of pages) {
    const scripts = withImports(files, page, new Set(first));
    const bytes = [...scripts].reduce((sum, name) => sum + files.get(name)!.gzip.length, 0);
    expect({ page, isSmall: bytes < FIRST_PAGE_BYTES_MAX, bytes }).toEqual({ page, isSmall: true, bytes });
  }
  for (const [name, { body, gzip }] of files)
    if (/\.(js|css)$/.test(name)) expect(gzip.length).toBeLessThanOrEqual(gzipSync(body).length + 16);
});
