import type { BookkeepingWrite } from '../stored/bookkeeping.ts';
import { changesBetween, type Entity, type StoredDocument } from '../stored/stored-document.ts';
import type { GuardedUpdate } from './guarded-update.ts';
import { newStamp, withStamp } from './stamps.ts';

/** The update of a stored document to the next state, with what the outbox adds; undefined leaves the state as it is. */
export function updateTo(
  next: Entity | null | undefined,
  stored: StoredDocument,
  current: () => Entity,
  extra: BookkeepingWrite,
): GuardedUpdate {
  const { set, unset } = next === undefined ? { set: {}, unset: [] } : changesBetween(current(), next);
  const stamp = newStamp();
  return {
    id: stored._id,
    version: stored._version,
    guard: extra.guard,
    set: {
      ...set,
      ...extra.set,
      _version: stored._version + 1,
      _deleted: next === undefined ? stored._deleted : next === null,
      // Under the version guard these are the latest ones; a plain assignment costs the server less than a push.
      _stamps: withStamp(stored._stamps, stamp),
    },
    unset: [...unset, ...(extra.unset ?? [])],
    push: Object.fromEntries(Object.entries(extra.push ?? {}).filter(([, values]) => values.length > 0)),
    stamp,
    deletes: next === null,
  };
}

/** The document after an update of it. */
export function afterUpdate(before: StoredDocument, { set, unset, push }: GuardedUpdate): StoredDocument {
  const after: Record<string, unknown> = { ...before, ...set };
  for (const name of unset) delete after[name];
  for (const [name, values] of Object.entries(push))
    after[name] = [...((before[name] as readonly unknown[] | undefined) ?? []), ...values];
  return after as unknown as StoredDocument;
}
