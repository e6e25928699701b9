import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

/** The design's colours and sizes as a style sheet, for pages that load no script and no other styles. */
export const TOKENS: string = readFileSync(path.join(import.meta.dirname, '../app/styles/tokens.css'), 'utf8')
  .replaceAll(/\/\*.*?\*\//gs, '')
  .replaceAll(/\s+/g, ' ');

/** The widths of windows that the modules name; prepended to each, because it is compiled by itself. */
export const CUSTOM_MEDIA: Buffer = readFileSync(path.join(import.meta.dirname, '../app/styles/media.css'));

const fontFile: Buffer = readFileSync(
  createRequire(import.meta.url).resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'),
);

/** Where the gateway serves the typeface, for pages with and without scripts. */
export const FONT = `/assets/inter-${createHash('sha256').update(fontFile).digest('hex').slice(0, 8)}.woff2`;
