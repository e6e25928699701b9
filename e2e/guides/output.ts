/**
 * What an output that a guide shows may be: `…` stands for anything within a line, and a line of nothing else for any number of lines.
 * `whole`: from the first line to the last, otherwise only its first lines.
 */
export function shownPattern(shown: string, { whole }: { whole: boolean }): RegExp {
  const lines = shown.trimEnd().split('\n').map(linePattern);
  return new RegExp(`^${lines.join('')}${whole ? String.raw`\s*$` : ''}`);
}

function linePattern(line: string): string {
  if (line.trim() === '…') return String.raw`(?:.*\n)*?`;
  const parts = line
    .trimEnd()
    .split('…')
    .map((part) => RegExp.escape(part));
  return `${parts.join('.*?')}[ \\t]*\\n`;
}

/** Ids and keys in a text, the last one of each prefix: `con_…` for `con_7h2k9…`. */
export function idsIn(text: string): Map<string, string> {
  const found = [...text.matchAll(/(?<![\w])([a-z]+)_([\w+/=-]{10,})/g)];
  return new Map(found.map(([id, prefix]) => [prefix!, id]));
}

/** A text with what the reader has instead of `con_…`. */
export function withIds(text: string, ids: ReadonlyMap<string, string>): string {
  return text.replaceAll(/\b([a-z]+)_…/g, (written, prefix: string) => {
    const id = ids.get(prefix);
    if (id === undefined) throw new Error(`nothing that was printed is ${written}`);
    return id;
  });
}
