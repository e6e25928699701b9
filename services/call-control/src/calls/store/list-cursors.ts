import { invalid, Refused } from '@parley/errors';
import type { CallPosition } from './call-store.ts';

/** Cursors are not secret and not signed: they contain no more than a call of the own company does. */
export function cursorOf({ startedAt, id }: CallPosition): string {
  return encode([startedAt.getTime(), id]);
}

/** The call that a page of a list ended with. */
export function positionFrom(cursor: string): CallPosition {
  const [time, id] = decode(cursor);
  const startedAt = new Date(typeof time === 'number' ? time : NaN);
  if (typeof id !== 'string' || Number.isNaN(startedAt.getTime())) throw new Refused(invalidCursor);
  return { startedAt, id };
}

/** Results of a search have no order but their rank. */
export function searchCursorOf(rank: number): string {
  return encode(['rank', rank]);
}

/** The rank of the first search result of a page. */
export function rankFrom(cursor: string): number {
  const [kind, rank] = decode(cursor);
  if (kind !== 'rank' || typeof rank !== 'number' || !Number.isSafeInteger(rank) || rank < 0)
    throw new Refused(invalidCursor);
  return rank;
}

const invalidCursor = invalid({ cursor: ['is invalid'] });

function encode(content: readonly [string | number, string | number]): string {
  return Buffer.from(JSON.stringify(content)).toString('base64url');
}

function decode(cursor: string): readonly unknown[] {
  try {
    const content: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(content) ? content : [];
  } catch {
    return [];
  }
}
