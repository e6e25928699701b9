export interface Entity {
  readonly id: string;
}

export interface CompanyEntity extends Entity {
  readonly companyId: string;
}

/** A document as it is stored: `_id` for `id`, the entity's own fields, and bookkeeping under names that begin with `_`. */
export interface StoredDocument {
  readonly _id: string;
  readonly companyId?: string;
  /** Grows by one with every write; a write decided on an older one is decided again. */
  readonly _version: number;
  /** Marks of the last few writes, so that one whose response was lost is recognised as done. */
  readonly _stamps: readonly string[];
  /** A tombstone: deleted, and kept until another layer has dealt with what it keeps in it. */
  readonly _deleted: boolean;
  readonly [field: string]: unknown;
}

/** Left out when documents are read for their state only. */
export const documentFields = ['_version', '_stamps', '_deleted'] as const;

/** An entity, from what is stored. */
export function toState<State extends Entity>(stored: { readonly _id: string }): State {
  const state: Record<string, unknown> = { id: stored._id };
  for (const [name, value] of Object.entries(stored)) if (!name.startsWith('_')) state[name] = value;
  return state as unknown as State;
}

/** An entity's own fields; what is undefined is left out. */
export function toFields(state: Entity): Record<string, unknown> {
  const { id: _, ...fields } = state;
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/**
 * The update that turns `current` into `next`. Identical values are not written: states are never changed in place, and unversioned
 * writes may change them concurrently.
 */
export function changesBetween(current: Entity, next: Entity | null) {
  const before = current as Entity & Record<string, unknown>;
  // A tombstone keeps only its company.
  const after = (next ?? { id: before.id, companyId: before['companyId'] }) as Entity & Record<string, unknown>;
  const set: Record<string, unknown> = {};
  for (const name of Object.keys(after))
    if (name !== 'id' && after[name] !== undefined && after[name] !== before[name]) set[name] = after[name];
  const unset = Object.keys(before).filter((name) => before[name] !== undefined && after[name] === undefined);
  return { set, unset };
}

/** A filter or sort in stored names; keeps the order of names, which is the order of a sort. */
export function withStoredId(named: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(named).map(([name, value]) => {
      if (name === '$or' || name === '$and') return [name, (value as readonly object[]).map(withStoredId)];
      return [name === 'id' ? '_id' : name, value];
    }),
  );
}
