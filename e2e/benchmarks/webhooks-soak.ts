// Ten thousand events to fifty receivers that fail a fifth of the time, the sender killed every few seconds.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

const soak = path.resolve(import.meta.dirname, '../../services/webhooks/test/soak/soak-main.ts');

export async function benchmarkWebhooksSoak(): Promise<void> {
  const child = spawn(process.execPath, [soak], { stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error('the soak failed');
}
