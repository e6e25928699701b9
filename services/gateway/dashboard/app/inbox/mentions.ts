/** The typed part of a name after the `@` before the caret; undefined when nobody is being mentioned there. */
export function mentionBefore(text: string, caret: number): string | undefined {
  return /(?:^|\s)@([\p{L}\p{M}'-]*)$/u.exec(text.slice(0, caret))?.[1];
}

/** The text with a coworker's name in place of what is typed of it. */
export function withMention(text: string, caret: number, name: string): { text: string; caret: number } {
  const start = caret - (mentionBefore(text, caret)?.length ?? 0);
  const inserted = `${name} `;
  return { text: text.slice(0, start) + inserted + text.slice(caret).trimStart(), caret: start + inserted.length };
}

/** A comment in parts, with those marked that mention one of the names, whole or by its first word. */
export function mentionParts(
  text: string,
  names: readonly string[],
): readonly { readonly text: string; readonly isMention: boolean }[] {
  const wanted = names
    .flatMap((name) => [name, name.split(' ')[0] ?? ''])
    .filter((name) => name !== '')
    .toSorted((one, other) => other.length - one.length);
  if (wanted.length === 0) return [{ text, isMention: false }];
  const pattern = new RegExp(`(@(?:${wanted.map((name) => escaped(name)).join('|')}))`, 'iu');
  return text
    .split(pattern)
    .map((part, index) => ({ text: part, isMention: index % 2 === 1 }))
    .filter((part) => part.text !== '');
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
