import { isUnreachable } from '@parley/mongo';
import type { Logger } from '@parley/telemetry';
import type { StreamReader } from '../reading/stream-reader.ts';
import type { FollowerState } from './follower-state-store.ts';

const EVERY_MS = 1000;

/** Saves the cursors of the partitions of a replica, once a second if they have changed. */
export function startCheckpoints(options: {
  follower: string;
  state: FollowerState;
  log: Logger;
  /** By publishing service. */
  readers: ReadonlyMap<string, Pick<StreamReader, 'cursors'>>;
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
    }, EVERY_MS);
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
