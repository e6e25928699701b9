import { invalid, Refused } from '@parley/errors';
import { bytesOf, RESULT_BYTES_MAX } from './result-size.ts';

/** A page of a list that its endpoint answers as a whole. */
export interface Page {
  readonly items: readonly unknown[];
  readonly nextCursor: string | undefined;
}

interface Position {
  readonly offset: number;
  /** The id of the previous item; null for items without ids. */
  readonly id: string | null;
}

/**
 * Reads as much of a list as the page needs. It continues behind the item the page before ended with, so that what was
 * added or removed meanwhile neither repeats nor hides an item; when that item was removed, at its position.
 */
export async function readPage(
  list: AsyncIterable<unknown> | Iterable<unknown>,
  limit: number,
  cursor: string | undefined,
): Promise<Page> {
  const after = cursor === undefined ? undefined : positionFrom(cursor);
  let found = after === undefined || after.id === null;
  const skip = after?.id === null ? after.offset : 0;
  let candidates: { item: unknown; index: number }[] = [];
  let index = 0;
  for await (const item of list) {
    const at = index++;
    if (at < skip) continue;
    if (!found && idOf(item) === after?.id) {
      found = true;
      candidates = [];
      continue;
    }
    if (!found && at < (after?.offset ?? 0)) continue;
    if (candidates.length <= limit) candidates.push({ item, index: at });
    if (found && candidates.length > limit) break;
  }
  const items: unknown[] = [];
  let bytes = 0;
  for (const { item } of candidates.slice(0, limit)) {
    bytes += bytesOf(item) + 1;
    if (items.length > 0 && bytes > RESULT_BYTES_MAX) break;
    items.push(item);
  }
  const last = candidates[items.length - 1];
  const isLast = items.length === candidates.length || last === undefined;
  return { items, nextCursor: isLast ? undefined : cursorOf({ offset: last.index + 1, id: idOf(last.item) }) };
}

function idOf(item: unknown): string | null {
  const { id } = Object(item) as { id?: unknown };
  return typeof id === 'string' ? id : null;
}

function cursorOf({ offset, id }: Position): string {
  return Buffer.from(JSON.stringify([offset, id])).toString('base64url');
}

function positionFrom(cursor: string): Position {
  try {
    const [offset, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
    if (Number.isSafeInteger(offset) && (offset as number) >= 0 && (id === null || typeof id === 'string'))
      return { offset: offset as number, id };
  } catch {
    // not our format
  }
  throw new Refused(invalid({ cursor: ['is invalid'] }));
}
