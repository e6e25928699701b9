/** A text in parts, those apart that are what is looked for. */
export function splitByHits(
  text: string,
  words: string,
): readonly { readonly text: string; readonly isHit: boolean }[] {
  const wanted = words.trim().toLowerCase();
  if (wanted === '') return [{ text, isHit: false }];
  const lower = text.toLowerCase();
  const parts: { text: string; isHit: boolean }[] = [];
  let from = 0;
  for (let at = lower.indexOf(wanted); at !== -1; at = lower.indexOf(wanted, from)) {
    if (at > from) parts.push({ text: text.slice(from, at), isHit: false });
    from = at + wanted.length;
    parts.push({ text: text.slice(at, from), isHit: true });
  }
  if (from < text.length) parts.push({ text: text.slice(from), isHit: false });
  return parts;
}
