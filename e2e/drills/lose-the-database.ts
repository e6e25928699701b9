// The database is killed or stopped, stays away, and comes back: requests are refused as unavailable meanwhile, nothing that was answered is lost.
import { setTimeout as sleep } from 'node:timers/promises';
import { requireThat } from '../stress/stress-stack.ts';
import { healthy } from '../support/kill-processes.ts';
import { type Drill, secs, timed } from './drill.ts';
import { startDrillStack } from './drill-stack.ts';
import { failedSince, startWorkload } from './workload.ts';

const AWAY_MS = { least: 5_000, more: 20_000 };
const BEFORE_MS = { least: 3_000, more: 8_000 };
/** A burst is being written and fanned out when it is lost. */
const FAN_OUT_MS_MAX = 1_500;
/** From the start of the server until every service answers. */
const BACK_WITHIN_MS = 30_000;

export async function drillLoseTheDatabase(drill: Drill): Promise<void> {
  const { random, say } = drill;
  const stack = await startDrillStack(drill);
  say('the stack runs');
  const workload = await startWorkload(drill, stack);
  for (const isKilled of [true, false]) {
    workload.start();
    await sleep(BEFORE_MS.least + random.below(BEFORE_MS.more));
    workload.burst();
    await sleep(random.below(FAN_OUT_MS_MAX));
    const lostAt = performance.now();
    const pid = stack.mongo.pid();
    if (isKilled && pid !== undefined) process.kill(pid, 'SIGKILL');
    await stack.mongo.stop();
    const awayMs = AWAY_MS.least + random.below(AWAY_MS.more);
    await sleep(awayMs);
    const backMs = await timed(async () => {
      await stack.mongo.start();
      await healthy(stack);
    });
    await sleep(BEFORE_MS.least);
    await workload.stop();
    const unclear = workload.failures.filter(({ at, what }) => at > lostAt && !/^(503|504) /.test(what));
    requireThat(unclear.length === 0, `refused, but not as unavailable: ${unclear[0]?.request} ${unclear[0]?.what}`);
    requireThat(backMs < BACK_WITHIN_MS, `healthy only ${secs(backMs)} after the start of the database`);
    say(`the database was ${isKilled ? 'killed' : 'stopped'} and away for ${secs(awayMs)}`);
    say(`healthy ${secs(backMs)} after its start; ${failedSince(workload, lostAt)}`);
    say(await workload.check());
  }
}
