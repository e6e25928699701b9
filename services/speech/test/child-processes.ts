import { readFile } from 'node:fs/promises';

/** The processes that this one has started and whose command line holds `words`. */
export async function childProcesses(words: string): Promise<number[]> {
  const children = await readFile(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8');
  const found: number[] = [];
  for (const pid of children.split(' ').filter(Boolean)) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (command.includes(words)) found.push(Number(pid));
  }
  return found;
}
