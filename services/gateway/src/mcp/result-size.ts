/** The limit of a result's structured part; with its text and the envelope it stays below 50 kB. */
export const RESULT_BYTES_MAX = 42_000;

type Result = Readonly<Record<string, unknown>>;

/** The remaining items of a list and characters of a text at each step. */
const STEPS = [
  [400, 8000],
  [200, 4000],
  [100, 2000],
  [50, 1000],
  [25, 500],
  [10, 250],
  [5, 100],
  [2, 50],
] as const;

export function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/** The result itself, unless it is too long for an assistant: then with shorter lists and texts. */
export function shortened(result: Result): Result {
  if (bytesOf(result) <= RESULT_BYTES_MAX) return result;
  for (const [items, length] of STEPS) {
    const shorter = shorten(result, items, length) as Result;
    if (bytesOf(shorter) <= RESULT_BYTES_MAX) return shorter;
  }
  return {};
}

function shorten(value: unknown, itemsMax: number, lengthMax: number): unknown {
  if (typeof value === 'string') return cutText(value, lengthMax);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.slice(0, itemsMax).map((item) => shorten(item, itemsMax, lengthMax));
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, shorten(field, itemsMax, lengthMax)]));
}

/** At most `lengthMax` UTF-16 units, the last of them a sign that something is missing. */
export function cutText(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text;
  const end = isHighSurrogate(text.charCodeAt(lengthMax - 2)) ? lengthMax - 2 : lengthMax - 1;
  return `${text.slice(0, end)}…`;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}
