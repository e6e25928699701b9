/** The limit in characters of a prompt, a preview and an automatic reply. */
export const TEXT_LENGTH_MAX = 10_000;

/** Characters as people count them (code points), not UTF-16 units. */
export function characterCount(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
