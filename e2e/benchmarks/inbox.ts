// The inbox with ten thousand items and with a million (`PARLEY_BENCH_ITEMS` for fewer).
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

const main = path.resolve(import.meta.dirname, '../../services/messaging-inbox/test/bench/inbox-main.ts');

export async function benchmarkInbox(): Promise<void> {
  const child = spawn(process.execPath, [main], { stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error('the inbox costs more than it should');
}
