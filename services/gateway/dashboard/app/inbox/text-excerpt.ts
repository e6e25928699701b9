export interface ExcerptPart {
  readonly text: string;
  readonly isHit: boolean;
}

/** Before the first word that was found, so that it is in sight. */
const BEFORE = 24;

/** A text from shortly before the first of the places on, in parts. */
export function excerptOf(
  text: string,
  places: readonly { readonly start: number; readonly end: number }[],
): readonly ExcerptPart[] {
  const first = places[0]?.start ?? 0;
  const from = first > BEFORE ? text.lastIndexOf(' ', first - BEFORE) + 1 : 0;
  const parts: ExcerptPart[] = [{ text: from > 0 ? '…' : '', isHit: false }];
  let at = from;
  for (const { start, end } of places) {
    if (start < at) continue;
    parts.push({ text: text.slice(at, start), isHit: false }, { text: text.slice(start, end), isHit: true });
    at = end;
  }
  return [...parts, { text: text.slice(at), isHit: false }].filter((part) => part.text !== '');
}
