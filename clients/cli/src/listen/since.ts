import { wrongUsage } from '../errors.ts';

/** Where `listen` begins. */
export type Since =
  | { readonly kind: 'now' }
  /** Where the last run has ended. */
  | { readonly kind: 'last' }
  | { readonly kind: 'time'; readonly from: Date }
  | { readonly kind: 'cursor'; readonly cursor: string };

const UNIT_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
/** Shorter than any cursor. */
const WORD_LENGTH_MAX = 12;

/** `10m`, `last`, or a cursor. */
export function readSince(text: string | undefined, now: number): Since {
  if (text === undefined) return { kind: 'now' };
  if (text === 'last') return { kind: 'last' };
  const [, amount, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (amount !== undefined) return { kind: 'time', from: new Date(now - Number(amount) * UNIT_MS[unit]!) };
  if (text.length <= WORD_LENGTH_MAX)
    throw wrongUsage(`--since does not know ${text}`, 'Use a time such as 30s, 10m, 2h or 3d, a cursor, or "last".');
  return { kind: 'cursor', cursor: text };
}
