import type { Collection, Document } from 'mongodb';
import type { StoredDocument } from '../stored/stored-document.ts';

/** Differences between documents of earlier versions of the product and current ones. */
export interface EarlierVersions {
  /** They may be without our bookkeeping; they get it. Looks at every document. */
  adoptsEarlier?: boolean;
  /**
   * Fields that had another name: the earlier name to the present one. Processes of the earlier version do not find them
   * any more, so an upgrade during which both versions run needs a field that may be absent.
   */
  renamedFields?: Readonly<Record<string, string>>;
}

/** They contain only documents that still have a field under its earlier name, so a later start finds nothing at no cost. */
export function renamedFieldIndexes({ renamedFields = {} }: EarlierVersions) {
  return Object.keys(renamedFields).map((earlier) => ({
    name: `renamed_${earlier}`,
    key: { [earlier]: 1 as const },
    partialFilterExpression: { [earlier]: { $exists: true } },
  }));
}

/** Brings documents that an earlier version stored into their present form. Any number of processes may do so at once. */
export async function migrateDocuments(
  collection: Collection<StoredDocument>,
  { adoptsEarlier = false, renamedFields = {} }: EarlierVersions,
): Promise<void> {
  if (adoptsEarlier)
    await collection.updateMany(
      { _deleted: { $exists: false } },
      { $set: { _version: 1, _stamps: [], _deleted: false } },
    );
  for (const [earlier, present] of Object.entries(renamedFields))
    await collection.updateMany({ [earlier]: { $exists: true } }, renaming(earlier, present));
}

/** A value under the present name stays. The version grows, so that a decision made on the old fields is made again. */
function renaming(earlier: string, present: string): Document[] {
  const value = { $ifNull: [`$${present}`, `$${earlier}`] };
  return [{ $set: { [present]: value, _version: { $add: ['$_version', 1] } } }, { $unset: earlier }];
}
