// From the last release to this checkout and back, process by process and under load.
import { setTimeout as sleep } from 'node:timers/promises';
import { requireThat } from '../stress/stress-stack.ts';
import { type Drill, secs, timed } from './drill.ts';
import { startDrillStack } from './drill-stack.ts';
import { installLastRelease } from './last-release.ts';
import { failedSince, startWorkload } from './workload.ts';

const REPLICAS = 2;
const LOAD_MS = { least: 4_000, more: 8_000 };

export async function drillUpgrade(drill: Drill): Promise<void> {
  const { random, say } = drill;
  const installing = performance.now();
  const release = await installLastRelease(drill);
  const { checkout, added } = release;
  say(`${release.version} is installed after ${secs(performance.now() - installing)}`);

  const stack = await startDrillStack(drill, { replicas: REPLICAS, checkout, without: added });
  say(`${release.version} runs, with two processes of every service`);
  const workload = await startWorkload(drill, stack);
  workload.start();
  await sleep(LOAD_MS.least + random.below(LOAD_MS.more));
  const from = performance.now();
  for (const name of stack.namesOf(REPLICAS).filter((name) => added.some((service) => name.startsWith(service))))
    await stack.start(name, { awaitsReady: false });
  say(`upgraded in ${secs(await timed(() => stack.rollOutAll(random)))}; ${failedSince(workload, from)}`);
  await sleep(LOAD_MS.least + random.below(LOAD_MS.more));
  const back = performance.now();
  say(`back in ${secs(await timed(() => stack.rollOutAll(random, checkout, added)))}; ${failedSince(workload, back)}`);
  await sleep(LOAD_MS.least + random.below(LOAD_MS.more));
  await workload.stop();
  const failed = workload.failures.map(({ request, what }) => `${request}: ${what}`);
  requireThat(failed.length === 0, `${failed.length} requests failed:\n  ${failed.slice(0, 10).join('\n  ')}`);
  say(`${workload.counts().requests} requests, none failed`);
  say(await workload.check());
}
