import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { dashboardFiles } from '../../src/dashboard-files/dashboard-files.ts';
import { buildDashboard, builtDashboard } from './build.ts';
import { FONT } from './tokens.ts';

const FIRST_PAGE_BYTES_MAX = 200_000;
/** Of the shell, whatever is loaded later: many small ones would wait for each other. */
const FILES_OF_SHELL_MAX = 3;
/** A browser loads six at once; two of the shell's are tiny. */
const FILES_OF_SECTION_MAX = 8;

let folder: string;
beforeAll(async () => {
  folder = await builtDashboard();
});

describe('the built dashboard', () => {
  it('the built dashboard keeps the scripts of every page within the limit', async () => {
    const { scriptsOf } = dashboardFiles(folder, console);
    const shell = scriptsOf('nothing');
    expect(shell.length).toBeLessThanOrEqual(FILES_OF_SHELL_MAX);
    // The first page is part of the shell.
    expect(scriptsOf('inbox')).toEqual(shell);
    for (const page of ['calls', 'contacts', 'home', 'numbers', 'team', 'settings']) {
      const scripts = scriptsOf(page);
      expect(scripts.some((name) => name.startsWith(`${page}-`))).toBe(true);
      expect([page, scripts.length <= FILES_OF_SECTION_MAX, scripts]).toEqual([page, true, scripts]);
      const sizes = await Promise.all(scripts.map(async (name) => (await stat(path.join(folder, `${name}.gz`))).size));
      const bytes = sizes.reduce((sum, size) => sum + size, 0);
      expect({ page, isSmall: bytes < FIRST_PAGE_BYTES_MAX, bytes }).toEqual({ page, isSmall: true, bytes });
    }
  });

  it('the built dashboard has one style sheet with all styles once, those of components before what refines them', async () => {
    const names = await readdir(folder);
    expect(names.filter((name) => name.endsWith('.css'))).toEqual(['app.css']);
    const styles = await readFile(path.join(folder, 'app.css'), 'utf8');
    expect(styles.search(/\.navigation\S*_link/)).toBeGreaterThan(styles.search(/\.button\S*_primary/));
    expect(styles.match(/\.button[\w-]*_primary[\w-]*\{/g)).toHaveLength(1);
    // One typeface, for pages without scripts as well.
    expect(styles).toContain(`url(${FONT})`);
    expect(names).toContain(path.basename(FONT));
  });

  it('the built dashboard has compressed copies of scripts and styles, and the files of the installed application', async () => {
    const names = new Set(await readdir(folder));
    for (const name of names)
      if (/\.(js|css)$/.test(name))
        expect([name, names.has(`${name}.br`), names.has(`${name}.gz`)]).toEqual([name, true, true]);
    for (const name of ['icon.svg', 'manifest.webmanifest', 'worker.js']) expect(names).toContain(name);
  });

  it('the built dashboard has the same names in every build, because a document names files that another replica may be asked for', async () => {
    const again = await mkdtemp(path.join(tmpdir(), 'parley-dashboard-'));
    try {
      await buildDashboard(again);
      expect((await readdir(again)).toSorted()).toEqual((await readdir(folder)).toSorted());
    } finally {
      await rm(again, { recursive: true });
    }
  });
});

it('the colours of the installed application are those of the design', async () => {
  const read = (file: string) => readFile(path.join(import.meta.dirname, '..', file), 'utf8');
  const tokens = await read('app/styles/tokens.css');
  const light = (name: string) => new RegExp(`--${name}:\\s*light-dark\\(\\s*(#\\w+)`).exec(tokens)?.[1];
  const manifest = JSON.parse(await read('public/manifest.webmanifest')) as Record<string, unknown>;
  expect([manifest['background_color'], manifest['theme_color']]).toEqual([light('canvas'), light('canvas')]);
  expect(await read('public/icon.svg')).toContain(`fill="${light('accent')}"`);
});
