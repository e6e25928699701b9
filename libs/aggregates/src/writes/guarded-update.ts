import { byIds, replaceIf, valueById, QUERY_TIME_MAX_MS } from '@parley/mongo';
import type { Document, Collection } from 'mongodb';
import type { BookkeepingWrite, Guard } from '../stored/bookkeeping.ts';
import { changesBetween, type Entity, type StoredDocument } from '../stored/stored-document.ts';
import { randomPart } from '@parley/secrets';

/** So many other writes may happen between a write whose response was lost and the check whether it was done. */
const STAMPS_MAX = 10;

/** Only has to differ from the few others in one document. */
export function newStamp(): string {
  return randomPart(6).toString('base64url');
}

function withStamp(stamps: readonly string[], stamp: string): readonly string[] {
  return [...stamps, stamp].slice(-STAMPS_MAX);
}

/** True for each document that has the stamp; undefined when the document does not exist. */
export async function findStamps(
  collection: Collection<StoredDocument>,
  writes: readonly { readonly id: string; readonly stamp: string }[],
): Promise<(boolean | undefined)[]> {
  const ids = writes.map(({ id }) => id);
  const options = { projection: { _stamps: 1 }, maxTimeMS: QUERY_TIME_MAX_MS };
  const found = await collection.find({ _id: { $in: ids } }, options).toArray();
  const stamps = new Map(found.map(({ _id, _stamps }) => [_id, _stamps]));
  return writes.map(({ id, stamp }) => stamps.get(id)?.includes(stamp));
}

/** An update of one document, guarded by the version it was decided on, so that it is done once at most. */
export interface GuardedUpdate {
  readonly id: string;
  readonly version: number;
  /** Further conditions of the write. */
  readonly guard?: Guard | undefined;
  /** New values of fields; `_stamps` ends with `stamp`. */
  readonly set: Readonly<Record<string, unknown>>;
  readonly unset: readonly string[];
  /** Appended to arrays. */
  readonly push: Readonly<Record<string, readonly unknown[]>>;
  /** Among the document's stamps once the update is done. */
  readonly stamp: string;
  /** It creates a tombstone, which may be removed before the stamp is checked. */
  readonly deletes: boolean;
}

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

/** One statement that updates the documents of some ids, each in its own way. */
interface UpdateStatement {
  readonly filter: Document;
  readonly update: Document | Document[];
}

/** New values of some fields of a document. */
interface GuardedAssignment {
  readonly id: string;
  readonly guard: Guard;
  readonly set: Readonly<Record<string, unknown>>;
}

/**
 * The updates as one statement, in which each document stays as it is unless its guard holds. The guards are part of the
 * update instead of its filter: a filter by id alone needs no query plan, and planning costs the server more than the
 * update of a small document.
 */
export function guardedUpdates(updates: readonly GuardedUpdate[]): { filter: Document; pipeline: Document[] } {
  const { expected, holds } = guards(updates.map(({ guard = {} }) => guard));
  const pushed = [...new Set(updates.flatMap(({ push }) => Object.keys(push)))];
  const unset = [...new Set(updates.flatMap((update) => update.unset))];
  const ids = updates.map(({ id }) => id);
  const own = valueById(
    ids,
    updates.map(({ version, set, push }, index) => ({ version, expected: expected[index], set, push })),
  );
  const appended = pushed.map((name) => {
    const all = { $concatArrays: [{ $ifNull: [`$${name}`, []] }, `$$own.push.${name}`] };
    return [name, { $cond: [isMissing(`$$own.push.${name}`), '$$REMOVE', all] }];
  });
  const written = { $mergeObjects: ['$$ROOT', '$$own.set', Object.fromEntries(appended)] };
  const isRemoved = (name: string) => {
    const stamps = updates.map((update) => (update.unset.includes(name) ? update.stamp : ''));
    return { $eq: [{ $last: '$_stamps' }, valueById(ids, stamps)] };
  };
  const removed = unset.map((name) => [name, { $cond: [isRemoved(name), '$$REMOVE', `$${name}`] }]);
  return {
    filter: byIds(ids),
    pipeline: [
      replaceIf(own, [{ $eq: ['$_version', '$$own.version'] }, ...holds], written),
      ...(removed.length > 0 ? [{ $set: Object.fromEntries(removed) }] : []),
    ],
  };
}

/**
 * The same change of the same version of many documents, as a plain update: for the server it is a third of the work,
 * because it does not compute each document anew. Undefined when they differ.
 */
export function uniformUpdate(updates: readonly GuardedUpdate[]): UpdateStatement | undefined {
  const [first, ...others] = updates.map(({ version, guard = {}, set, unset, push }) =>
    JSON.stringify([version, guard, set, unset, push]),
  );
  const [one] = updates;
  const isPlain = one && [one.guard ?? {}, one.push].every((fields) => Object.keys(fields).length === 0);
  if (!isPlain || others.some((other) => other !== first)) return undefined;
  const removed = Object.fromEntries(one.unset.map((name) => [name, '']));
  return {
    filter: { ...byIds(updates.map(({ id }) => id)), _version: one.version },
    update: { $set: one.set, ...(one.unset.length > 0 && { $unset: removed }) },
  };
}

/** Below this, planning a query with a guard in it costs the server more than computing the guards. */
const SAME_GUARD_MIN = 10;

/**
 * The assignments in few statements: one for each group of documents with the same guard, and one for the others. Of several for one id
 * the first counts. The version grows, so that a decision made on the old fields is made again.
 */
export function guardedAssignments(assignments: readonly GuardedAssignment[]): UpdateStatement[] {
  const first = new Map(assignments.toReversed().map((assignment) => [assignment.id, assignment]));
  const groups = Map.groupBy(first.values(), ({ guard, set }) => JSON.stringify([guard, namesIn(set)]));
  const large = [...groups.values()].filter((group) => group.length >= SAME_GUARD_MIN);
  const others = [...groups.values()].filter((group) => group.length < SAME_GUARD_MIN).flat();
  return [...large.map(sameGuardAssignments), ...(others.length > 0 ? [ownGuardAssignments(others)] : [])];
}

/** Documents with the same guard: it is part of the filter, and only values that differ are looked up. */
function sameGuardAssignments(assignments: readonly GuardedAssignment[]): UpdateStatement {
  const ids = assignments.map(({ id }) => id);
  const { guard, set } = assignments[0]!;
  const filter = { ...byIds(ids), ...guard };
  const differing = namesIn(set).filter((name) => assignments.some((other) => !isSame(other.set[name], set[name])));
  if (differing.length === 0) return { filter, update: { $set: set, $inc: { _version: 1 } } };
  const fields = namesIn(set).map((name) => {
    const values = () => assignments.map((assignment) => assignment.set[name]);
    return [name, differing.includes(name) ? valueById(ids, values()) : { $literal: set[name] }];
  });
  return { filter, update: [{ $set: { ...Object.fromEntries(fields), _version: { $add: ['$_version', 1] } } }] };
}

function namesIn(fields: GuardedAssignment['set']): string[] {
  return Object.keys(fields).filter((name) => fields[name] !== undefined);
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

/** Documents that each have their own guard: it is computed with the update. */
function ownGuardAssignments(assignments: readonly GuardedAssignment[]): UpdateStatement {
  const ids = assignments.map(({ id }) => id);
  const { expected, holds } = guards(assignments.map(({ guard }) => guard));
  const own = valueById(
    ids,
    assignments.map(({ set }, index) => ({ set, expected: expected[index] })),
  );
  const written = { $mergeObjects: ['$$ROOT', '$$own.set', { _version: { $add: ['$_version', 1] } }] };
  return { filter: byIds(ids), update: [replaceIf(own, holds, written)] };
}

/** The values that each document is expected to have, and the conditions that compare them. */
function guards(all: readonly Guard[]): { expected: Document[]; holds: Document[] } {
  // Keyed by number, because names with dots would be paths in an expression.
  const paths = [...new Set(all.flatMap((guard) => Object.keys(guard)))];
  return {
    expected: all.map((guard) =>
      Object.fromEntries(Object.entries(guard).map(([path, value]) => [`p${paths.indexOf(path)}`, value])),
    ),
    holds: paths.map((path, index) => {
      const value = `$$own.expected.p${index}`;
      return { $or: [isMissing(value), { $eq: [{ $ifNull: [`$${path}`, null] }, value] }] };
    }),
  };
}

function isMissing(expression: string): Document {
  return { $eq: [{ $type: expression }, 'missing'] };
}
