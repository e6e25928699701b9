import { randomUUID } from 'node:crypto';

/** A process on another machine or in another container is `unknown`. */
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

export function processIdentity({ machine, pid, isRunning }: ProcessFacts): ProcessIdentity {
  const own = [machine ?? '', pid, randomUUID()].join('/');
  return {
    own,
    livenessOf(name) {
      const [itsMachine, itsPid] = name.split('/');
      const other = Number(itsPid);
      // The same process id is another part of this process, or an earlier process of a container, where numbering begins anew.
      if (machine === undefined || itsMachine !== machine || !Number.isInteger(other) || other === pid)
        return 'unknown';
      return isRunning(other) ? 'alive' : 'dead';
    },
  };
}
