import { printable } from './terminal-text.ts';

export type Cell = string | number | null | undefined;

const GAP = '  ';
const CELL_WIDTH_MAX = 60;

const segmenter = new Intl.Segmenter();
const WIDE =
  /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|\p{Emoji_Presentation}|[\uff01-\uff60]/u;
const MARKS_ONLY = /^\p{Mark}+$/u;

/** Rows below their titles, each column as wide as its widest cell; what a cell has too much is cut. */
export function table(titles: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const texts = [titles, ...rows].map((row) => row.map((cell) => cut(printable(String(cell ?? '')))));
  const widths = titles.map((_, column) => Math.max(...texts.map((row) => widthOf(row[column] ?? ''))));
  return texts
    .map((row) => row.map((text, column) => text + ' '.repeat(widths[column]! - widthOf(text))).join(GAP))
    .map((line) => `${line.trimEnd()}\n`)
    .join('');
}

/** Columns that a terminal needs for it. */
function widthOf(text: string): number {
  let width = 0;
  for (const { segment } of segmenter.segment(text)) width += WIDE.test(segment) ? 2 : MARKS_ONLY.test(segment) ? 0 : 1;
  return width;
}

function cut(text: string): string {
  if (text.length <= CELL_WIDTH_MAX) return text;
  let kept = '';
  for (const { segment } of segmenter.segment(text)) {
    if (kept.length + segment.length >= CELL_WIDTH_MAX) break;
    kept += segment;
  }
  return `${kept}…`;
}
