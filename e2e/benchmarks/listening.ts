// Calls that are listened to on the spoken test set, beside a transcription of the same audio: wrong words, CPU time, delay.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

const main = path.resolve(import.meta.dirname, '../../services/speech/test/bench/listening-main.ts');

export async function benchmarkListening(): Promise<void> {
  const child = spawn(process.execPath, [main], { stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error('listening could not be measured');
}
