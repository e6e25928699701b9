import { isUnreachable } from '@parley/mongo';
import { batch, batching, sharedResult } from '@parley/queues';
import type { Logger } from '@parley/telemetry';
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

interface Versioned extends Assignment {
  /** Increases with every change of the assignment; writes of cursors do not change it. */
  readonly version: number;
}

interface FollowerStateDocument extends Versioned {
  _id: string;
  cursors?: Cursors;
}

const CONFLICTS_MAX = 50;
const CHECKPOINT_EVERY_MS = 1000;

export type FollowerState = ReturnType<typeof openFollowerState>;

/** One document per follower: who reads which partition, and how far each has been read. */
export function openFollowerState(db: Db, follower: string) {
  const collection = db.collection<FollowerStateDocument>('follower_state');
  const read = () => collection.findOne({ _id: follower });
  const write = writerOf(db);
  /** The state that this process wrote last: while no other process changes it, a renewal needs no read. */
  let written: Versioned | undefined;

  return {
    /** Reads, decides, writes; decides again after a conflict, with another replica or another change of this one. */
    async update(decide: (current: Assignment) => Assignment): Promise<Assignment> {
      let stored: Versioned | null = written ?? (await read());
      for (let conflict = 0; conflict < CONFLICTS_MAX; conflict++) {
        written = undefined;
        const { members, owners } = decide(stored ?? UNASSIGNED);
        const decided = { members, owners, version: (stored?.version ?? 0) + 1 };
        const isWritten = await write({ follower, decided, isNew: stored === null });
        if (!isWritten) stored = await read();
        // Another write of the same command may have failed instead.
        if (isWritten || (stored && isSame(stored, decided))) return (written = decided);
      }
      throw new Error(`too many replicas changed the assignment of ${follower} at once`);
    },
    async readCursors(): Promise<Cursors> {
      return (await read())?.cursors ?? {};
    },
    /** False when the replica does not own all of the partitions any more. */
    async writeCursors(member: string, partitions: readonly number[], cursors: Cursors): Promise<boolean> {
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

function isSame(one: Versioned, other: Versioned): boolean {
  const content = ({ version, members, owners }: Versioned) => JSON.stringify([version, members, owners]);
  return content(one) === content(other);
}

interface AssignmentWrite {
  readonly follower: string;
  readonly decided: Versioned;
  readonly isNew: boolean;
}

const writers = new WeakMap<Db, (write: AssignmentWrite) => Promise<boolean>>();

/** The writes of all followers of a database at the same time are one command. False: one of them is not written. */
function writerOf(db: Db): (write: AssignmentWrite) => Promise<boolean> {
  const known = writers.get(db);
  const writer =
    known ??
    batch(
      sharedResult((all: readonly AssignmentWrite[]) => writeAll(db, all)),
      batching.assignments,
    );
  if (!known) writers.set(db, writer);
  return writer;
}

/** The server reports how many were written, not which. */
async function writeAll(db: Db, writes: readonly AssignmentWrite[]): Promise<boolean> {
  const operations = writes.map(({ follower, decided, isNew }) => ({
    updateOne: {
      filter: { _id: follower, version: decided.version - 1 },
      update: { $set: decided },
      upsert: isNew,
    },
  }));
  const collection = db.collection<FollowerStateDocument>('follower_state');
  try {
    const { matchedCount, upsertedCount } = await collection.bulkWrite(operations, { ordered: false });
    return matchedCount + upsertedCount === writes.length;
  } catch (error) {
    // Two replicas that create the document at once: the second one reads it and decides again.
    if ((error as { code?: unknown }).code !== 11000) throw error;
    return false;
  }
}

/** Saves the cursors of the partitions of a replica, once a second if they have changed. */
export function startCheckpoints(options: {
  follower: string;
  state: FollowerState;
  log: Logger;
  /** By publishing service. */
  readers: ReadonlyMap<string, { cursors(): Readonly<Record<number, Cursor>> }>;
}) {
  const { follower, state, log, readers } = options;
  let owner: { readonly member: string; readonly partitions: readonly number[] } | undefined;
  let saved = '';
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  async function save(): Promise<void> {
    if (!owner || owner.partitions.length === 0) return;
    const { member, partitions } = owner;
    const cursors = Object.fromEntries(
      readers.entries().map(([service, reader]) => {
        const own = Object.entries(reader.cursors()).filter(([partition]) => partitions.includes(Number(partition)));
        return [service, Object.fromEntries(own)];
      }),
    );
    const fingerprint = JSON.stringify(cursors);
    if (fingerprint === saved) return;
    // False: another replica has taken over; the assignment will follow.
    if (await state.writeCursors(member, partitions, cursors)) saved = fingerprint;
  }

  function saveSoon(): void {
    if (isStopped) return;
    timer ??= setTimeout(() => {
      timer = undefined;
      save().catch((error: unknown) => {
        saveSoon();
        if (!isUnreachable(error)) log.warn({ err: error, follower }, 'cursors not saved; retrying');
      });
    }, CHECKPOINT_EVERY_MS);
  }

  return {
    save,
    /** Events were read or completed. */
    saveSoon,
    partitions: () => owner?.partitions ?? [],
    setOwner(member: string, partitions: readonly number[]): void {
      owner = { member, partitions };
      saveSoon();
    },
    stop(): void {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
