import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The design's colours and sizes as a style sheet, for pages that load no script and no other styles. */
export const TOKENS: string = readFileSync(path.join(import.meta.dirname, '../app/styles/tokens.css'), 'utf8')
  .replaceAll(/\/\*.*?\*\//gs, '')
  .replaceAll(/\s+/g, ' ');

/** The address of the typeface, which does not change. */
export const FONT = '/assets/inter.woff2';
