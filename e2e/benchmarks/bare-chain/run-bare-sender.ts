import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { startMongo } from '@parley/embedded';
import { cpuTimeMs } from '../measuring.ts';

const CONCURRENCY = 100;

/** The cost of deliveries for a minimal sender, including its database: the baseline. */
export async function runBareSender(
  folder: string,
  url: string,
  count: number,
  concurrency = CONCURRENCY,
): Promise<{ cpuMs: number; perSecond: number }> {
  await mkdir(folder, { recursive: true });
  const mongo = await startMongo({
    dataDir: path.join(folder, 'mongo'),
    socketDir: folder,
    name: 'bare-sender',
    log: () => {},
  });
  const file = path.join(import.meta.dirname, 'bare-sender.ts');
  const sender = fork(file, [mongo.url, url, String(count), String(concurrency)]);
  try {
    await once(sender, 'message');
    const pids = [mongo.pid, sender.pid].filter((pid) => pid !== undefined);
    const [cpuBefore, started] = [cpuTimeMs(pids), performance.now()];
    sender.send({ start: true });
    await once(sender, 'message');
    const secs = (performance.now() - started) / 1000;
    return { cpuMs: (cpuTimeMs(pids) - cpuBefore) / count, perSecond: count / secs };
  } finally {
    sender.disconnect();
    await mongo.stop();
  }
}
