import { gzipSync } from 'node:zlib';
import { expect, it } from '@jest/globals';
import { bundleDashboard, scriptsOf } from './bundle.ts';
import { FONT } from './tokens.ts';

const FIRST_PAGE_BYTES_MAX = 200_000;
/** Of the shell, whatever is loaded later: many small ones would wait for each other. */
const FILES_OF_SHELL_MAX = 3;
/** A browser loads six at once. */
const FILES_OF_SECTION_MAX = 8;

it('bundles the application; its first page stays within the limit', async () => {
  const files = await bundleDashboard();
  expect(scriptsOf(files, 'nothing').length).toBeLessThanOrEqual(FILES_OF_SHELL_MAX);
  // The first page is part of the shell.
  expect(scriptsOf(files, 'inbox')).toEqual(scriptsOf(files, 'nothing'));
  expect(scriptsOf(files, 'chunk')).toEqual(scriptsOf(files, 'nothing'));
  // A page links no other: styles of sections are in it, each once, after those of the components.
  expect([...files.keys()].filter((name) => name.endsWith('.css'))).toEqual(['app.css']);
  const styles = files.get('app.css')!.body.toString();
  expect(styles.search(/\.navigation\S*_link/)).toBeGreaterThan(styles.search(/\.button\S*_primary/));
  expect(styles.match(/\.button[\w-]*_primary[\w-]*\{/g)).toHaveLength(1);
  for (const page of ['calls', 'contacts', 'home', 'numbers', 'team', 'settings']) {
    const scripts = scriptsOf(files, page);
    expect(scripts.some((name) => name.startsWith(`${page}-`))).toBe(true);
    expect(scripts.length).toBeLessThanOrEqual(FILES_OF_SECTION_MAX);
    const bytes = scripts.reduce((sum, name) => sum + files.get(name)!.gzip.length, 0);
    expect({ page, isSmall: bytes < FIRST_PAGE_BYTES_MAX, bytes }).toEqual({ page, isSmall: true, bytes });
  }
  // One typeface, for pages without scripts as well.
  expect(styles).toContain(`url(${FONT})`);
  expect(files.get(FONT.replace('/assets/', ''))?.immutable).toBe(true);
  for (const [name, { body, gzip }] of files)
    if (/\.(js|css)$/.test(name)) expect(gzip.length).toBeLessThanOrEqual(gzipSync(body).length + 16);
});

it('names the files alike in every process, because a document names files that another replica may be asked for', async () => {
  const [files, again] = [await bundleDashboard(), await bundleDashboard()];
  expect([...again.keys()]).toEqual([...files.keys()]);
});
