import { readFileSync } from 'node:fs';
import path from 'node:path';
import { isMap, isScalar, type Pair, parseDocument, type YAMLMap } from 'yaml';
import { root } from './root.ts';

const VALUES = 'helm/parley/values.yaml';
export const CHART_README = 'helm/parley/README.md';

const BEGIN = '<!-- Made by "npm run generate" from values.yaml. -->';
const END = '<!-- End of what is made. -->';

/** The README of the chart with the table of all values, which is made from values.yaml and its comments. */
export function readmeWithValues(): string {
  const readme = readFileSync(path.join(root, CHART_README), 'utf8');
  const [before = '', rest] = readme.split(BEGIN);
  const [, after] = rest?.split(END) ?? [];
  if (after === undefined) throw new Error(`${CHART_README} has no place for the values: "${BEGIN}" and "${END}"`);
  const table = valuesTable(readFileSync(path.join(root, VALUES), 'utf8'));
  return `${before}${BEGIN}\n\n${table}\n\n${END}${after}`;
}

/** A row for each value: its path, its default, and the comment above it. A comment above a group is a row without a default. */
export function valuesTable(text: string): string {
  const document = parseDocument(text);
  if (!isMap(document.contents)) throw new Error('values are no map');
  const rows = rowsOf(document.contents, '', text);
  return ['| value | default | |', '| --- | --- | --- |', ...rows].join('\n');
}

function rowsOf(map: YAMLMap, prefix: string, text: string): string[] {
  return map.items.flatMap((pair, index) => {
    const { key, value } = pair as Pair;
    if (!isScalar(key)) return [];
    const name = `${prefix}${String(key.value)}`;
    // The comment above the first key of a map belongs to the map in the parser's eyes.
    const comment = key.commentBefore ?? (index === 0 && prefix !== '' ? map.commentBefore : undefined);
    const description = describe(comment);
    if (!isMap(value) || value.flow || value.items.length === 0)
      return [`| \`${name}\` | ${code(sourceOf(value, text))} | ${description} |`];
    return [...(description ? [`| \`${name}\` | | ${description} |`] : []), ...rowsOf(value, `${name}.`, text)];
  });
}

/** The paragraph directly above a value; code that was commented out is left out. */
function describe(comment: string | null | undefined): string {
  const paragraph = (comment ?? '').split('\n\n').at(-1) ?? '';
  const lines = paragraph.split('\n').map((line) => line.trim());
  return lines
    .filter((line) => !line.startsWith('- ') && !/^\w+: \[/.test(line))
    .join(' ')
    .replaceAll('|', String.raw`\|`)
    .replaceAll('<', '&lt;');
}

/** A value as it is written, on one line. */
function sourceOf(value: unknown, text: string): string {
  const [start, end] = (value as { range?: [number, number] } | null)?.range ?? [0, 0];
  return text
    .slice(start, end)
    .trim()
    .replaceAll(/\s*\n\s*/g, ' ');
}

const code = (value: string): string => (value === '' ? '' : `\`${value.replaceAll('|', String.raw`\|`)}\``);
