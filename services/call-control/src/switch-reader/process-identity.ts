import { randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';

/** Whether a process still runs; unknown of one on another machine or in another container. */
export type Liveness = 'alive' | 'dead' | 'unknown';

/** Names processes so that others on the same machine can see whether they still run. */
export interface ProcessIdentity {
  /** The name of this one. */
  readonly own: string;
  livenessOf(name: string): Liveness;
}

export interface ProcessFacts {
  /** The running machine and the process namespace; undefined where that cannot be determined. */
  readonly machine: string | undefined;
  readonly pid: number;
  readonly isRunning: (pid: number) => boolean;
}

export function processIdentity({ machine, pid, isRunning }: ProcessFacts = thisProcess()): ProcessIdentity {
  const own = [machine ?? '', pid, randomUUID()].join('/');
  return {
    own,
    livenessOf(name) {
      const [itsMachine, itsPid] = name.split('/');
      const other = Number(itsPid);
      // Of its own number: another part of this process, or one before in a container that numbers anew.
      if (machine === undefined || itsMachine !== machine || !Number.isInteger(other) || other === pid)
        return 'unknown';
      return isRunning(other) ? 'alive' : 'dead';
    },
  };
}

function thisProcess(): ProcessFacts {
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
