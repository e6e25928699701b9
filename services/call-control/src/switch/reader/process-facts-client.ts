import { readFileSync, readlinkSync } from 'node:fs';
import type { ProcessFacts } from './process-identity.ts';

/** The facts about this process, from the operating system. */
export function processFacts(): ProcessFacts {
  return { machine: machineName(), pid: process.pid, isRunning };
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

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It runs as another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
