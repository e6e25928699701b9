import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Loader, Plugin } from 'esbuild';

/**
 * Puts everything that the shell of the application needs into one file. esbuild makes a file for every set of sections that share a
 * module, sixty for one page; with the shell as an import of every module that is loaded later, what belongs to the shell belongs to
 * the same set. The shell is there by then, so the import costs nothing.
 */
export function oneCore(shell: string): Plugin {
  return {
    name: 'one core',
    setup(build) {
      const later = new Set<string>();
      build.onResolve({ filter: /^\./ }, ({ kind, path: name, resolveDir }) => {
        if (kind === 'dynamic-import') later.add(path.join(resolveDir, name));
        return undefined;
      });
      build.onLoad({ filter: /\.tsx?$/ }, async ({ path: file }) => {
        if (!later.has(file)) return undefined;
        const source = await readFile(file, 'utf8');
        return {
          contents: `${source}\nimport ${JSON.stringify(shell)};`,
          loader: path.extname(file).slice(1) as Loader,
          resolveDir: path.dirname(file),
        };
      });
    },
  };
}
