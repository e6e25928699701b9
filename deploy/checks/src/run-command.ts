import { spawn } from 'node:child_process';
import { root } from './root.ts';

/** A command of the workspace, run to its end from the top of the repository; its output is kept, not shown. */
export async function runCommand(
  command: string,
  args: readonly string[],
  cwd = root,
): Promise<{ ok: boolean; output: string }> {
  const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  const code = await new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve));
  return { ok: code === 0, output };
}
