const COLOURS = 7;

/** The first letters of the first and the last word. */
export function initials(name: string): string {
  const words = name
    .split(/[\s\u200e\u200f\u202a-\u202e\u2066-\u2069]+/)
    .map((word) => /[\p{L}\p{N}]/u.exec(word)?.[0] ?? '')
    .filter(Boolean);
  const [first = '', ...rest] = words;
  return (first + (rest.at(-1) ?? '')).toLocaleUpperCase();
}

/** The same colour for the same id, always; the last of the eight is for people that nobody knows. */
export function avatarIndex(id: string): number {
  let hash = 0;
  for (const letter of id) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) >>> 0;
  return hash % COLOURS;
}
