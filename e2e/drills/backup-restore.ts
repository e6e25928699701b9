// Two snapshots, one at rest and one under load, each restored: what was there is there again, and nothing is done twice.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Employee, openPhoneCompany } from '../calls/phone-company.ts';
import { requireThat } from '../stress/stress-stack.ts';
import { clearFaults, sandbox, setFaults } from '../support/api.ts';
import { type Drill, secs, timed } from './drill.ts';
import { type DrillStack, startDrillStack } from './drill-stack.ts';
import { restore, takeSnapshot } from './snapshots.ts';
import { differences, readEverything } from './stored-views.ts';
import { startWorkload } from './workload.ts';

const LOAD_MS = 15_000;
const LATER_MS = 8_000;
const WAITING_TEXTS = 100;
const WAITING_MS_MAX = 1_500;
const PLACED_CALLS = 4;
const LOOK_EVERY_MS = 300;

export async function drillBackupRestore(drill: Drill): Promise<void> {
  const { random, say } = drill;
  const stack = await startDrillStack(drill);
  say('the stack runs');
  const workload = await startWorkload(drill, stack);

  workload.start();
  await sleep(LOAD_MS);
  await workload.stop();
  say(await workload.check());
  const before = await readEverything(workload);
  const atRest = await takeSnapshot(stack, 'at-rest');
  workload.start();
  await sleep(LATER_MS);
  await workload.stop();
  const lost = workload.takeBackAfter(atRest.until);
  say(`a snapshot at rest; ${lost} changes after it are taken back`);
  say(`restored in ${secs(await timed(() => restore(stack, atRest)))}`);
  const differing = differences(before, await readEverything(workload));
  requireThat(
    differing.length === 0,
    `${differing.length} of ${before.size} answers differ:\n  ${differing.join('\n  ')}`,
  );
  say(`${before.size} answers of the API are equal`);
  say(await workload.check());

  const placing = await preparePlacedCalls(drill, stack);
  workload.start();
  const momentMs = 2_000 + random.below(LOAD_MS);
  await sleep(momentMs);
  // The worst moment: the provider does not answer, so that texts wait; once it answers they are sent, of which the snapshot knows nothing.
  await setFaults(stack.local, { sms_submit: 'timeout' });
  const sending = Array.from({ length: WAITING_TEXTS }, () => workload.sendText());
  const placed = placing.start();
  await sleep(random.below(WAITING_MS_MAX));
  const underLoad = await takeSnapshot(stack, 'under-load');
  await clearFaults(stack.local);
  await Promise.all([...sending, placed]);
  await sleep(LATER_MS);
  await workload.stop();
  const taken = workload.takeBackAfter(underLoad.from);
  say(
    `a snapshot under load after ${secs(momentMs)}, in ${secs(underLoad.until - underLoad.from)}; ${taken} changes are taken back`,
  );
  say(`restored in ${secs(await timed(() => restore(stack, underLoad)))}`);
  say(await workload.check());
  say(`${await placing.check()} calls were placed, each once at most`);
}

/** Employees who call outside people around the moment of a snapshot; what rings at each of these is watched until the end. */
async function preparePlacedCalls({ random, defer }: Drill, { local }: DrillStack) {
  const fixture = await openPhoneCompany(local);
  const employees: Employee[] = [];
  for (let count = 0; count < PLACED_CALLS; count++) employees.push(await fixture.hire(`Ada${count}`, true));
  const flow = { type: 'TransferConfig', employee_ids: [employees[0]!.id] };
  const number = fixture.numberId(await fixture.number(flow, { awaitsPrompts: false }));
  const legs = new Map(employees.map((_, index) => [`+4524${String(index).padStart(6, '0')}`, new Set<string>()]));
  const look = async () => {
    for (const [to, seen] of legs) {
      const { body } = await fixture.sandbox('GET', `/subscribers/${encodeURIComponent(to)}/legs`);
      for (const { leg_id: id } of body as { leg_id: string }[]) seen.add(id);
    }
  };
  const watching = setInterval(() => void look().catch(() => undefined), LOOK_EVERY_MS);
  defer(() => clearInterval(watching));
  return {
    start: () =>
      Promise.all(
        [...legs.keys()].map(async (to, index) => {
          await sleep(random.below(2 * WAITING_MS_MAX));
          await sandbox(local, 'POST', `/phones/${employees[index]!.id}/dial`, { business_number_id: number, to });
        }),
      ),
    async check(): Promise<number> {
      await look();
      for (const [to, { size }] of legs) requireThat(size <= 1, `the call to ${to} was placed ${size} times`);
      return [...legs.values()].filter(({ size }) => size > 0).length;
    },
  };
}
