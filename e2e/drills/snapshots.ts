import { cp, rm } from 'node:fs/promises';
import path from 'node:path';
import type { DrillStack } from './drill-stack.ts';

/** A snapshot of all databases at one point in time. */
export interface Snapshot {
  readonly folder: string;
  /** Everything that was answered before it is in it; nothing that was asked for after it is. By `performance.now()`. */
  readonly from: number;
  readonly until: number;
}

/**
 * What a snapshot of a volume does: the files of the engine as they are at one moment, with its journal. The engine stands still
 * meanwhile, because a copy of files takes longer than a moment.
 */
export async function takeSnapshot({ mongo, folders, dataDir }: DrillStack, name: string): Promise<Snapshot> {
  const folder = path.join(dataDir, `snapshot-${name}`);
  const pid = mongo.pid();
  if (pid === undefined) throw new Error('the database does not run');
  const from = performance.now();
  process.kill(pid, 'SIGSTOP');
  try {
    await cp(folders.mongo, folder, { recursive: true });
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  return { folder, from, until: performance.now() };
}

/** The recipe of docs/operations.md: services stopped, every database as it was, no streams, services started with the time of it. */
export async function restore(stack: DrillStack, { folder }: Snapshot): Promise<void> {
  await stack.stopServices();
  await stack.mongo.stop();
  await stack.nats.stop();
  for (const store of [stack.folders.mongo, stack.folders.nats]) await rm(store, { recursive: true });
  await cp(folder, stack.folders.mongo, { recursive: true });
  await stack.mongo.start();
  await stack.nats.start();
  for (const service of stack.services) stack.change(service, { RESTORED_AT: new Date().toISOString() });
  await stack.startServices();
}
