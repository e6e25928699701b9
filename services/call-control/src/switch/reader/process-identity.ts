import { randomUUID } from 'node:crypto';

/** `unknown`: on another machine, in another container, or stopped, so that nobody knows when it goes on. */
export type Liveness = 'alive' | 'dead' | 'unknown';

/** Names processes so that others on the same machine can see whether they still run. */
export interface ProcessIdentity {
  /** The name of this one. */
  readonly own: string;
  livenessOf(name: string): Liveness;
}

/** `stopped`: by a signal or a debugger. It is there, and does nothing. */
export type ProcessState = 'running' | 'stopped' | 'ended';

export interface ProcessFacts {
  /** The running machine and the process namespace; undefined where that cannot be determined. */
  readonly machine: string | undefined;
  readonly pid: number;
  readonly stateOf: (pid: number) => ProcessState;
}

const LIVENESS = { running: 'alive', stopped: 'unknown', ended: 'dead' } as const;

export function processIdentity({ machine, pid, stateOf }: ProcessFacts): ProcessIdentity {
  const own = [machine ?? '', pid, randomUUID()].join('/');
  return {
    own,
    livenessOf(name) {
      const [itsMachine, itsPid] = name.split('/');
      const other = Number(itsPid);
      // The same process id is another part of this process, or an earlier process of a container, where numbering begins anew.
      if (machine === undefined || itsMachine !== machine || !Number.isInteger(other) || other === pid)
        return 'unknown';
      return LIVENESS[stateOf(other)];
    },
  };
}
