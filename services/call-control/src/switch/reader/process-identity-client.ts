import { readFileSync, readlinkSync } from 'node:fs';
import { randomUUID } from 'node:crypto';

/** The facts about this process, from the operating system. */
export function processFacts() {
  return {
    /** The running machine and the process namespace; undefined where that cannot be determined. */
    machine: machineName(),
    pid: process.pid,
    stateOf,
  };
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

/** `unknown`: on another machine, in another container, or stopped, so that nobody knows when it goes on. */
export type Liveness = 'alive' | 'dead' | 'unknown';

/** Names processes so that others on the same machine can see whether they still run. */
export type ProcessIdentity = ReturnType<typeof processIdentity>;

/** `stopped`: by a signal or a debugger. It is there, and does nothing. */
export type ProcessState = 'running' | 'stopped' | 'ended';

type ProcessFacts = ReturnType<typeof processFacts>;

const LIVENESS = { running: 'alive', stopped: 'unknown', ended: 'dead' } as const;

export function processIdentity({ machine, pid, stateOf }: ProcessFacts) {
  /** The name of this one. */
  const own = [machine ?? '', pid, randomUUID()].join('/');
  return {
    own,
    livenessOf(name: string): Liveness {
      const [itsMachine, itsPid] = name.split('/');
      const other = Number(itsPid);
      // The same process id is another part of this process, or an earlier process of a container, where numbering begins anew.
      if (machine === undefined || itsMachine !== machine || !Number.isInteger(other) || other === pid)
        return 'unknown';
      return LIVENESS[stateOf(other)];
    },
  };
}
