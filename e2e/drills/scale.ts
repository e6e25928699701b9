// From one process of every service to three and back, under load.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Drill, secs, timed } from './drill.ts';
import { startDrillStack } from './drill-stack.ts';
import { failedSince, startWorkload } from './workload.ts';

const REPLICAS = 3;
const LOAD_MS = { least: 4_000, more: 8_000 };

/** The provider and the switch have the addresses of these: there is nothing in front of them here, as a Service would be. */
const mayLeave = (name: string) => !['gateway', 'call-control'].includes(name);

export async function drillScale(drill: Drill): Promise<void> {
  const { random, say } = drill;
  const stack = await startDrillStack(drill, { replicasMax: REPLICAS });
  say('the stack runs, with one process of every service');
  const workload = await startWorkload(drill, stack);
  workload.start();
  await sleep(LOAD_MS.least + random.below(LOAD_MS.more));
  const from = performance.now();

  for (const count of [2, REPLICAS]) {
    const tookMs = await timed(() => stack.startServices(count));
    say(`${count} processes of every service after ${secs(tookMs)}; ${failedSince(workload, from)}`);
    await sleep(LOAD_MS.least + random.below(LOAD_MS.more));
  }
  // Any of them may be the one that goes: the readers of the switch and of partitions change hands.
  for (const left of [2, 1]) {
    const leaving = stack.services.map((service) => random.pick(stack.runningOf(service).filter(mayLeave)));
    const tookMs = await timed(() => Promise.all(leaving.map(stack.stop)));
    say(`${left} of every service after ${secs(tookMs)}; ${failedSince(workload, from)}`);
    await sleep(LOAD_MS.least + random.below(LOAD_MS.more));
  }
  await workload.stop();
  say(`${workload.counts().requests} requests; ${failedSince(workload, from)}`);
  say(await workload.check());
}
