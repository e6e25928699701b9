import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Plugin } from 'esbuild';
import { Features, transform } from 'lightningcss';
import { CUSTOM_MEDIA } from './tokens.ts';

/** The naming of component classes, also in the development server; areas of a grid keep their names. */
export const CSS_MODULES = { pattern: '[name]_[local]_[hash]', animation: true, grid: false };

/** `@custom-media` is replaced by what it stands for, also for browsers that will know it. */
export const COMPILED_MEDIA = { drafts: { customMedia: true }, include: Features.CustomMediaQueries };

export interface CssModules {
  readonly plugin: Plugin;
  /** The styles of all modules, each once: those of the folder `first` before the others, which may refine them. */
  readonly styles: (first: string) => Buffer;
}

/**
 * Style sheets that belong to one component (`*.module.css`): the script gets the names of their classes, the styles go into the one
 * sheet of the page. esbuild's own loader repeats a shared module in the sheet of every section, so that the last copy would win.
 */
export function cssModules(root: string): CssModules {
  const sheets = new Map<string, Buffer>();
  const plugin: Plugin = {
    name: 'css modules',
    setup(build) {
      build.onLoad({ filter: /\.module\.css$/ }, async ({ path: file }) => {
        const name = path.relative(root, file);
        const { code, exports } = transform({
          filename: name,
          code: Buffer.concat([CUSTOM_MEDIA, await readFile(file)]),
          minify: true,
          ...COMPILED_MEDIA,
          cssModules: CSS_MODULES,
        });
        sheets.set(name, Buffer.from(code));
        // Sorted: they come in another order each time, and the name of the script is a hash of its content, the same in every replica.
        const classes = Object.entries(exports ?? {})
          .map(([local, exported]) => [local, exported.name] as const)
          .toSorted(([a], [b]) => (a < b ? -1 : 1));
        return { contents: `export default ${JSON.stringify(Object.fromEntries(classes))}`, loader: 'js' };
      });
    },
  };
  const styles = (first: string) => {
    const isFirst = (name: string) => name.startsWith(`${first}${path.sep}`);
    const names = [...sheets.keys()].toSorted(
      (a, b) => Number(isFirst(b)) - Number(isFirst(a)) || (a < b ? -1 : Number(a > b)),
    );
    return Buffer.concat(names.map((name) => sheets.get(name)!));
  };
  return { plugin, styles };
}
