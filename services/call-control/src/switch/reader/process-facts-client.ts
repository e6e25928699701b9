import { readFileSync, readlinkSync } from 'node:fs';
import type { ProcessFacts, ProcessState } from './process-identity.ts';

/** The facts about this process, from the operating system. */
export function processFacts(): ProcessFacts {
  return { machine: machineName(), pid: process.pid, stateOf };
}

/** Only on Linux; elsewhere leases expire as if the processes were on different machines. */
function machineName(): string | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot}:${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return undefined;
  }
}

function stateOf(pid: number): ProcessState {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // It runs as another user.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return 'ended';
  }
  const letter = stateLetter(pid);
  if (letter === 'Z') return 'ended';
  return letter === 'T' || letter === 't' ? 'stopped' : 'running';
}

/** As in proc(5); undefined where that cannot be read. */
function stateLetter(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // Behind the name of the program, which may contain anything.
    return stat[stat.lastIndexOf(')') + 2];
  } catch {
    return undefined;
  }
}
