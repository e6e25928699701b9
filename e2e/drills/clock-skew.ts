// Processes whose clocks differ by up to the five seconds of docs/operations.md work together; one beyond is refused clearly, and works again.
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { requireThat } from '../stress/stress-stack.ts';
import { type Drill, secs } from './drill.ts';
import { type DrillStack, startDrillStack } from './drill-stack.ts';
import { failedSince, startWorkload } from './workload.ts';

const REPLICAS = 2;
/** Less than half of five seconds: the difference of two of them is below it. */
const SKEW_MS_MAX = 2_400;
const BEYOND_MS = { least: 8_000, more: 20_000 };
const LOAD_MS = 20_000;
const SKEWED_CLOCK = path.join(import.meta.dirname, 'skewed-clock.mjs');

const skew = (stack: DrillStack, name: string, ms: number) =>
  stack.changeProcess(name, { NODE_OPTIONS: `--import=${SKEWED_CLOCK}`, CLOCK_SKEW_MS: String(ms) });

export async function drillClockSkew(drill: Drill): Promise<void> {
  const { random, say } = drill;
  const stack = await startDrillStack(drill, { replicas: REPLICAS });
  const names = stack.namesOf(REPLICAS, ['sandbox']);
  const skews = new Map(names.map((name) => [name, random.below(2 * SKEW_MS_MAX + 1) - SKEW_MS_MAX]));
  for (const [name, ms] of skews) skew(stack, name, ms);
  await stack.rollOutAll(random);
  say(`the stack runs, its clocks differ by ${secs(Math.max(...skews.values()) - Math.min(...skews.values()))}`);
  const workload = await startWorkload(drill, stack);
  workload.start();
  await sleep(LOAD_MS);
  await workload.stop();
  const [failed] = workload.failures;
  requireThat(failed === undefined, `a request failed: ${failed?.request} ${failed?.what}`);
  say(`${workload.counts().requests} requests, none failed`);
  say(await workload.check());

  // A gateway that is ahead: what it signs is not valid yet.
  const gateway = random.pick(stack.runningOf('gateway'));
  const aheadMs = BEYOND_MS.least + random.below(BEYOND_MS.more);
  skew(stack, gateway, aheadMs);
  await stack.stop(gateway);
  await stack.start(gateway, { awaitsReady: false });
  const url = stack.local.replicas[gateway]?.public_url;
  const headers = { 'X-Api-Key': workload.company.apiKey };
  await sleep(LOAD_MS / 2);
  const answer = await fetch(`${url}/api/v1/employees`, { headers });
  const text = await answer.text();
  say(`a gateway ${secs(aheadMs)} ahead answers ${answer.status} ${text.slice(0, 120)}`);
  requireThat(answer.status === 503, `a gateway ${secs(aheadMs)} ahead answers ${answer.status} ${text}`);
  const from = performance.now();
  workload.start();
  await sleep(LOAD_MS / 2);
  await workload.stop();
  say(`the others go on; ${failedSince(workload, from)}`);
  skew(stack, gateway, 0);
  await stack.stop(gateway);
  await stack.start(gateway);
  const again = await fetch(`${url}/api/v1/employees`, { headers });
  requireThat(again.status === 200, `with its clock set right it answers ${again.status}`);
  say(await workload.check());
}
