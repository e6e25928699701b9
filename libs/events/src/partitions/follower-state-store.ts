import { batch, batching } from '@parley/queues';
import type { Db } from 'mongodb';
import { type Assignment, UNASSIGNED } from './assignment.ts';

/** The progress in a partition of a stream. */
export interface Cursor {
  /** Everything up to this sequence of the stream is applied, or noted as behind. */
  readonly sequence: number;
  /** When the stream stored the last message that was read. */
  readonly at: Date;
  /** Creation time of the stream: sequences of another stream mean nothing. */
  readonly stream: string;
  /** The server that numbered the messages; empty for a replicated stream. After a power cut a server reuses sequences. */
  readonly server: string;
  /** The nouns that were read: one that is added later has to be read from the beginning. */
  readonly nouns: readonly string[];
}

/** Keyed by publishing service, then by partition. */
export type Cursors = Readonly<Record<string, Readonly<Record<number, Cursor>>>>;

interface FollowerStateDocument extends Assignment {
  _id: string;
  /** Increases with every change of the assignment; writes of cursors do not change it. */
  version: number;
  cursors?: Cursors;
}

const CONFLICTS_MAX = 50;

export interface FollowerState {
  /** Reads, decides, writes; decides again after a conflict with another replica. */
  update(decide: (current: Assignment) => Assignment): Promise<Assignment>;
  /** The same for a change that is in no hurry: those of all followers of a database at the same time are one command. */
  renew(decide: (current: Assignment) => Assignment): Promise<Assignment>;
  readCursors(): Promise<Cursors>;
  /** False when the replica does not own all of the partitions any more. */
  writeCursors(member: string, partitions: readonly number[], cursors: Cursors): Promise<boolean>;
}

/** One document per follower: who reads which partition, and how far each has been read. */
export function openFollowerState(db: Db, follower: string): FollowerState {
  const collection = db.collection<FollowerStateDocument>('follower_state');
  const read = () => collection.findOne({ _id: follower });
  /** The state that this process wrote last: while no other process changes it, a renewal needs no read. */
  let written: (Assignment & { version: number }) | undefined;

  async function update(decide: (current: Assignment) => Assignment): Promise<Assignment> {
    for (let conflict = 0; conflict < CONFLICTS_MAX; conflict++) {
      const stored = written ?? (await read());
      written = undefined;
      const { members, owners } = decide(stored ?? UNASSIGNED);
      const version = stored?.version ?? 0;
      // A repeated write whose first response was lost finds a newer version and is decided again on its own result.
      const { matchedCount, upsertedCount } = await collection
        .updateOne(
          { _id: follower, version },
          { $set: { members, owners, version: version + 1 } },
          { upsert: stored === null },
        )
        .catch(ignoreDuplicate);
      if (matchedCount + upsertedCount === 0) continue;
      written = { members, owners, version: version + 1 };
      return written;
    }
    throw new Error(`too many replicas changed the assignment of ${follower} at once`);
  }

  async function renew(decide: (current: Assignment) => Assignment): Promise<Assignment> {
    const known = written;
    if (!known) return update(decide);
    const { members, owners } = decide(known);
    const renewed = { members, owners, version: known.version + 1 };
    written = undefined;
    if (!(await writerOf(db)({ follower, version: known.version, renewed }))) return update(decide);
    return (written = renewed);
  }

  return {
    update,
    renew,
    async readCursors() {
      return (await read())?.cursors ?? {};
    },
    async writeCursors(member, partitions, cursors) {
      const fields = Object.entries(cursors).flatMap(([service, byPartition]) =>
        Object.entries(byPartition).map(([partition, cursor]) => [`cursors.${service}.${partition}`, cursor] as const),
      );
      if (fields.length === 0) return true;
      const owned = Object.fromEntries(partitions.map((partition) => [`owners.${partition}`, member]));
      const { matchedCount } = await collection.updateOne(
        { _id: follower, ...owned },
        { $set: Object.fromEntries(fields) },
      );
      return matchedCount === 1;
    },
  };
}

interface Renewal {
  readonly follower: string;
  /** Of the state that was decided on. */
  readonly version: number;
  readonly renewed: Assignment & { readonly version: number };
}

const writers = new WeakMap<Db, (renewal: Renewal) => Promise<boolean>>();

/** True when the renewal was written; it may have been when it is false, if another one of the same command was not. */
function writerOf(db: Db): (renewal: Renewal) => Promise<boolean> {
  const known = writers.get(db);
  const writer = known ?? batch((renewals: readonly Renewal[]) => writeTogether(db, renewals), batching.polls);
  if (!known) writers.set(db, writer);
  return writer;
}

/** The server reports how many were written, not which: after a conflict each is decided again on what is stored. */
async function writeTogether(db: Db, renewals: readonly Renewal[]): Promise<boolean[]> {
  const { matchedCount } = await db.collection<FollowerStateDocument>('follower_state').bulkWrite(
    renewals.map(({ follower, version, renewed }) => ({
      updateOne: { filter: { _id: follower, version }, update: { $set: renewed } },
    })),
    { ordered: false },
  );
  return renewals.map(() => matchedCount === renewals.length);
}

/** Two replicas that create the document at once: the second one reads it and decides again. */
function ignoreDuplicate(error: unknown): { matchedCount: number; upsertedCount: number } {
  if ((error as { code?: unknown }).code !== 11000) throw error;
  return { matchedCount: 0, upsertedCount: 0 };
}
