import { setTimeout as sleep } from 'node:timers/promises';
import { healthy } from '../support/kill-processes.ts';
import type { LocalStack } from '../support/local-stack.ts';
import { processesOf, processesOfService, processesThatRun } from '../support/processes.ts';

/** From a kill until the stack was healthy again, milliseconds since 1970. */
export interface Outage {
  readonly from: number;
  until: number;
}

/** Between two kills the stack works for so long: otherwise a slow machine would do nothing but start processes. */
const WORK_MS = 10_000;

/**
 * Kills processes with -9, in turn: the gateway, the service, NATS, its database, and any other one. The sandbox is the
 * external systems and is not killed.
 */
export function startKilling(stack: LocalStack): { stop(): Promise<readonly Outage[]> } {
  const [provider] = processesOfService(stack, 'sandbox');
  const victims = [
    () => processesOfService(stack, 'gateway'),
    () => processesOfService(stack, 'messaging-inbox'),
    () => processesThatRun(stack, 'bin/nats-server'),
    () => processesThatRun(stack, 'mongo/messaging-inbox'),
    () => processesOf(stack).filter((pid) => pid !== provider),
  ];
  const stopping = new AbortController();
  const outages: Outage[] = [];
  const killing = (async () => {
    for (let kill = 0; !stopping.signal.aborted; kill++) {
      const among = victims[kill % victims.length]!();
      const victim = among[Math.floor(Math.random() * among.length)];
      const outage: Outage = { from: Date.now(), until: Number.POSITIVE_INFINITY };
      outages.push(outage);
      if (victim !== undefined) process.kill(victim, 'SIGKILL');
      await healthy(stack);
      outage.until = Date.now();
      await sleep(WORK_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await killing;
      return outages;
    },
  };
}
