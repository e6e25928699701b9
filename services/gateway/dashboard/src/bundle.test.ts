import { gzipSync } from 'node:zlib';
import { expect, it } from '@jest/globals';
import { bundleDashboard } from './bundle.ts';

const FIRST_PAGE_BYTES_MAX = 200_000;

it('bundles the application; its first page stays within the limit', async () => {
  const files = await bundleDashboard();
  expect(files.has('app.js')).toBe(true);
  // A page links no other: styles of sections are in it, after those of the application.
  expect([...files.keys()].filter((name) => name.endsWith('.css'))).toEqual(['app.css']);
  const styles = files.get('app.css')!.body.toString();
  expect(styles.indexOf('.employee-status')).toBeGreaterThan(styles.indexOf('.top-bar'));
  // What app.js imports at once, and the largest chunk that a page adds.
  const chunks = [...files].filter(([name]) => name.startsWith('chunk-')).map(([, file]) => file.gzip.length);
  const pages = [...files].filter(([name]) => /^index-.*\.js$/.test(name)).map(([, file]) => file.gzip.length);
  const first = files.get('app.js')!.gzip.length + chunks.reduce((sum, size) => sum + size, 0) + Math.max(0, ...pages);
  expect(first).toBeLessThan(FIRST_PAGE_BYTES_MAX);
  for (const { body, gzip } of files.values()) expect(gzip.length).toBeLessThanOrEqual(gzipSync(body).length);
});
