// Each store in turn has no space: what needs it is refused clearly, the rest goes on, and everything recovers when there is space again.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { requireThat } from '../stress/stress-stack.ts';
import { healthy } from '../support/kill-processes.ts';
import { CannotRun, type Drill, secs, timed } from './drill.ts';
import { startDrillStack } from './drill-stack.ts';
import { failedSince, startWorkload } from './workload.ts';

const SIZES = { mongo: '512m', nats: '128m', switch: '64m' } as const;
/** MongoDB writes into files that it has made before, until its next checkpoint, a minute later at most. */
const FULL_MS = { mongo: 65_000, nats: 8_000, switch: 8_000 };
const FULL_MS_MORE = 10_000;
const LOAD_MS = { least: 3_000, more: 5_000 };
const BLOCK_BYTES = 1024 * 1024;
const BACK_WITHIN_MS = 60_000;
const run = promisify(execFile);

export async function drillFullDisk(drill: Drill): Promise<void> {
  const { random, say } = drill;
  const stores = await mountStores(drill);
  const stack = await startDrillStack(drill, { stores });
  say('the stack runs, each store on a volume of its own');
  const workload = await startWorkload(drill, stack);
  for (const store of ['mongo', 'nats', 'switch'] as const) {
    workload.start();
    await sleep(LOAD_MS.least + random.below(LOAD_MS.more));
    const fullAt = performance.now();
    const filler = path.join(stores[store], '..', 'filler');
    await fill(filler);
    const fullMs = FULL_MS[store] + random.below(FULL_MS_MORE);
    await sleep(fullMs);
    const backMs = await timed(async () => {
      await rm(filler);
      // It refuses to write to a stream that had no space, until it is restarted.
      if (store === 'nats') {
        await stack.nats.stop();
        await stack.nats.start();
      }
      await healthy(stack);
    });
    await sleep(LOAD_MS.least);
    await workload.stop();
    const unclear = workload.failures.filter(({ at, what }) => at > fullAt && !/^(503|504) /.test(what));
    requireThat(unclear.length === 0, `refused, but not as unavailable: ${unclear[0]?.request} ${unclear[0]?.what}`);
    requireThat(backMs < BACK_WITHIN_MS, `healthy only ${secs(backMs)} after there was space again`);
    say(
      `${store}: full for ${secs(fullMs)}, healthy ${secs(backMs)} after it had space again; ${failedSince(workload, fullAt)}`,
    );
    say(await workload.check());
  }
}

/** Small volumes in memory, whose content is in a folder beside the file that fills them. */
async function mountStores(drill: Drill): Promise<Record<keyof typeof SIZES, string>> {
  const root = await mkdtemp(path.join(tmpdir(), 'parley-drill-disks-'));
  drill.defer(() => rm(root, { recursive: true, force: true }));
  const folders: Record<string, string> = {};
  for (const [store, size] of Object.entries(SIZES)) {
    const volume = path.join(root, store);
    await mkdir(volume);
    await run('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', volume]).catch((error: Error) => {
      throw new CannotRun(`a volume cannot be mounted, which needs root: ${error.message.split('\n')[0]}`);
    });
    drill.defer(() => run('umount', ['--lazy', volume]));
    folders[store] = path.join(volume, 'data');
    await mkdir(folders[store]);
  }
  return folders as Record<keyof typeof SIZES, string>;
}

/** Writes until there is no space, to the last byte. */
async function fill(file: string): Promise<void> {
  const handle = await open(file, 'w');
  try {
    for (let block = Buffer.alloc(BLOCK_BYTES); block.length > 0;) {
      const isFull = await handle.appendFile(block).then(
        () => false,
        (error: NodeJS.ErrnoException) => {
          if (error.code !== 'ENOSPC') throw error;
          return true;
        },
      );
      if (isFull) block = block.subarray(0, block.length === 1 ? 0 : Math.ceil(block.length / 2));
    }
  } finally {
    await handle.close();
  }
}
