// NATS is killed, stays away, and comes back: first with its disks, then without them. Nothing is lost, nothing is done twice.
import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { healthy } from '../support/kill-processes.ts';
import { type Drill, secs, timed } from './drill.ts';
import { startDrillStack } from './drill-stack.ts';
import { failedSince, startWorkload } from './workload.ts';

const AWAY_MS = { least: 8_000, more: 15_000 };
const BEFORE_MS = { least: 3_000, more: 8_000 };
/** A burst is being written, published and fanned out when it is killed. */
const FAN_OUT_MS_MAX = 1_500;

export async function drillLoseTheBroker(drill: Drill): Promise<void> {
  const { random, say } = drill;
  const stack = await startDrillStack(drill);
  say('the stack runs');
  const workload = await startWorkload(drill, stack);
  for (const losesDisks of [false, true]) {
    workload.start();
    await sleep(BEFORE_MS.least + random.below(BEFORE_MS.more));
    workload.burst();
    await sleep(random.below(FAN_OUT_MS_MAX));
    const lostAt = performance.now();
    const pid = stack.nats.pid();
    if (pid !== undefined) process.kill(pid, 'SIGKILL');
    await stack.nats.stop();
    const awayMs = AWAY_MS.least + random.below(AWAY_MS.more);
    await sleep(awayMs);
    if (losesDisks) await rm(stack.folders.nats, { recursive: true });
    const backMs = await timed(async () => {
      await stack.nats.start();
      await healthy(stack);
    });
    await sleep(BEFORE_MS.least);
    await workload.stop();
    say(
      `NATS was killed and away for ${secs(awayMs)}, ${losesDisks ? 'and has lost its disks' : 'and kept its disks'}`,
    );
    say(`healthy ${secs(backMs)} after its start; ${failedSince(workload, lostAt)}`);
    let compared = '';
    const settledMs = await timed(async () => void (compared = await workload.check()));
    say(`everything settled in ${secs(settledMs)}: ${compared}`);
  }
}
