// Calls in all phases while call-control is killed with -9 again and again, and then the switch is killed.
import { setTimeout as sleep } from 'node:timers/promises';
import { openPhoneCompany, type PhoneCompany } from '../calls/phone-company.ts';
import { sandbox } from '../support/api.ts';
import { healthy } from '../support/kill-processes.ts';
import { type LocalStack, startLocalStack } from '../support/local-stack.ts';
import { processesOfService } from '../support/processes.ts';
import { waitUntil } from '@parley/testkit/wait-until';
import {
  describeCall,
  differenceFromSwitch,
  forEach,
  NO_ANSWER_SECS,
  retryUntilSuccess,
  type PhaseCall,
  placeCalls,
  waitForTransfer,
} from './call-phases.ts';
import type { Outage } from './kills.ts';
import { type Amount, requireThat, untilAnswered } from './stress-stack.ts';

const KILLS = 12;
const EQUAL_WITHIN_MS = 5000;
const ENDED_WITHIN_MS = 10_000;
/** A timer may be overdue this long while call-control is up: until it knows the switch's state, and its poll. */
const LATE_MS = 5000;
/** Transfers ring for 30 s; one second for the way of the answer. */
const ANSWERED_IN_TIME_MS = 29_000;

/** With two replicas one of them is killed, and every third time both. */
export const stressCallsKillNine =
  (replicas: 1 | 2) =>
  async (amount: Amount): Promise<void> => {
    const environment = {
      PARLEY_PROCESSES: 'separate',
      PARLEY_REPLICAS: String(replicas),
      PARLEY_REPLICATED: 'call-control',
      LOG_LEVEL: 'info',
    };
    const stack = await startLocalStack({ environment });
    let isPassed = false;
    try {
      const fixture = await retryUntilSuccess(() => openPhoneCompany(stack.local));
      await fixture.limits({ simultaneous_calls: 10_000, calls_per_minute: 10_000 });
      await surviveKills(stack, fixture, amount);
      await endWithSwitch(fixture, Math.max(10, Math.floor(amount.count / 3)));
      isPassed = true;
    } finally {
      if (!isPassed) console.log(`  the logs are kept in ${stack.dataDir}/logs`);
      await stack.stop(isPassed ? undefined : 'keep');
    }
  };

async function surviveKills(stack: LocalStack, fixture: PhoneCompany, amount: Amount): Promise<void> {
  const calls = await placeCalls(fixture, amount.count);
  console.log(`  ${calls.length} calls are in their phases`);
  const killing = killCallControl(stack, amount.minutes);
  await Promise.all([killing, ...calls.map((call) => goOn(fixture, call).catch(explained(fixture, call)))]);
  const outages = await killing;
  const longestMs = Math.max(...outages.map(({ from, until }) => until - from));
  console.log(`  ${outages.length} kills, the longest outage ${Math.round(longestMs / 1000)} s`);

  const differing = await differencesAfter(fixture, calls);
  for (const { call, difference } of differing) console.log(`${await describeCall(fixture, call)}\n    ${difference}`);
  requireThat(differing.length === 0, `${differing.length} calls differ from the switch`);
  // A silent caller's voicemail ends automatically, and so does a call that is not answered in time.
  await forEach(
    calls.filter(({ phase }) => phase !== 'timed' && phase !== 'voicemail'),
    async (call) => {
      const { state, hangup_cause: cause } = await fixture.leg(call.legId);
      if (state === 'ended') await explained(fixture, call)(new Error(`a call was dropped: ${call.phase}, ${cause}`));
    },
  );
  await forEach(calls, (call) => checkTimers(fixture, call, outages).catch(explained(fixture, call)));

  // Callers hang up while call-control is away once more.
  for (const pid of processesOfService(stack, 'call-control')) process.kill(pid, 'SIGKILL');
  await forEach(calls, ({ legId }) => fixture.hangUp(legId));
  await healthy(stack);
  await forEach(calls, (call) => checkEnd(fixture, call).catch(explained(fixture, call)));
  const employees = calls.flatMap(({ employee, target }) => [employee, target]).filter((someone) => !!someone);
  await forEach(employees, (employee) => fixture.status(employee, 'available'));
  console.log(`  every call ended once, ${employees.length} employees are available again`);
}

/** Prints what is known of the call, and fails as before. */
function explained(fixture: PhoneCompany, call: PhaseCall): (error: unknown) => Promise<never> {
  return async (error) => {
    console.log(await describeCall(fixture, call));
    throw error;
  };
}

/** Kills it every few seconds, whenever it is back. */
async function killCallControl(stack: LocalStack, minutes: number): Promise<readonly Outage[]> {
  const end = performance.now() + minutes * 60_000;
  const outages: Outage[] = [];
  for (let kill = 0; kill < KILLS && performance.now() < end; kill++) {
    const processes = processesOfService(stack, 'call-control');
    const one = processes[Math.floor(Math.random() * processes.length)];
    const victims = kill % 3 === 2 || one === undefined ? processes : [one];
    const from = Date.now();
    for (const pid of victims) process.kill(pid, 'SIGKILL');
    await healthy(stack);
    outages.push({ from, until: Date.now() });
    await sleep(1000 + Math.random() * 3000);
  }
  return outages;
}

/** Simulates the people in a call. They repeat an action that had no effect. */
async function goOn(fixture: PhoneCompany, call: PhaseCall): Promise<void> {
  const { phase, index, legId, callId, employee, target, transferId, transferStartedAt = 0 } = call;
  await sleep(Math.random() * 15_000);
  if (phase === 'menu') {
    // Keys that are pressed while no process reads them are lost; the menu is played again.
    await waitUntil(
      async () => {
        await fixture.press(legId, '1');
        await sleep(1000);
        const { body } = await untilAnswered(() => fixture.company.call('GET', `/calls/${callId}`));
        return body.state === 'queued';
      },
      { what: 'the way out of the menu', timeoutMs: 180_000 },
    );
  }
  if (phase === 'ringing' && employee) await fixture.answer(employee);
  if (phase === 'transfer_ringing' && employee && target) {
    const answer = () => sandbox(fixture.stack, 'POST', `/phones/${target.id}/answer`);
    const isAnswered = index % 4 < 2 && (await answer()).status < 300;
    // On a busy machine setting up may have taken longer than phones ring.
    if (!isAnswered) await waitForTransfer(employee, undefined);
    else if (Date.now() - transferStartedAt < ANSWERED_IN_TIME_MS) await waitForTransfer(employee, 'consulting');
  }
  if (phase === 'consulting' && employee && target) {
    const path = `/calls/${callId}/transfers/${transferId}`;
    const done =
      index % 4 < 2
        ? await untilAnswered(() => target.call('POST', `${path}/completion`))
        : await untilAnswered(() => employee.call('DELETE', path));
    requireThat(done.status === 200, `the transfer was not settled: ${done.text}`);
  }
}

/** The calls that do not equal what the switch does within the time for it. */
async function differencesAfter(
  fixture: PhoneCompany,
  calls: readonly PhaseCall[],
): Promise<{ call: PhaseCall; difference: string }[]> {
  const until = performance.now() + EQUAL_WITHIN_MS;
  for (let left = calls; ;) {
    const isLast = performance.now() > until;
    const found: { call: PhaseCall; difference: string }[] = [];
    await forEach(left, async (call) => {
      const difference = await differenceFromSwitch(fixture, call);
      if (difference !== undefined) found.push({ call, difference });
    });
    if (found.length === 0 || isLast) return found;
    left = found.map(({ call }) => call);
  }
}

interface Entry {
  readonly at: string;
  readonly type: string;
  readonly what: string;
}

/** Fired once, and overdue hardly longer than call-control was away meanwhile. */
async function checkTimers(
  fixture: PhoneCompany,
  { phase, callId }: PhaseCall,
  outages: readonly Outage[],
): Promise<void> {
  if (phase !== 'timed') return;
  const read = async (): Promise<Entry[]> =>
    (await untilAnswered(() => fixture.company.call('GET', `/calls/${callId}/timeline`))).body.entries;
  const fired = (entries: readonly Entry[]) =>
    entries.filter(({ type, what }) => type === 'timer' && what === 'no_answer');
  const entries = await waitUntil(
    async () => {
      const found = await read();
      return fired(found).length > 0 && found;
    },
    { what: 'the no-answer timer', timeoutMs: NO_ANSWER_SECS * 1000 + 60_000 },
  );
  const [timer, ...more] = fired(entries);
  const queued = entries.find(({ type, what }) => type === 'state' && what === 'queued');
  const firedAt = Date.parse(timer!.at);
  const dueAt = Date.parse(queued!.at) + NO_ANSWER_SECS * 1000;
  const awayMs = outages
    .map(({ from, until }) => Math.max(0, Math.min(until, firedAt) - Math.max(from, dueAt)))
    .reduce((sum, ms) => sum + ms, 0);
  const lateMs = firedAt - dueAt - awayMs;
  requireThat(more.length === 0, `a timer of ${callId} fired ${more.length + 1} times`);
  requireThat(firedAt >= dueAt && lateMs <= LATE_MS, `a timer of ${callId} was ${lateMs} ms late besides outages`);
}

async function checkEnd(fixture: PhoneCompany, { phase, callId }: PhaseCall): Promise<void> {
  const wasAnswered = ['talking', 'consulting', 'ringing', 'transfer_ringing'].includes(phase);
  const last = wasAnswered ? 'call.ended' : phase === 'voicemail' ? 'voicemail.new' : 'call.lost';
  const events = await fixture.events(callId, last);
  for (const type of new Set(events))
    requireThat(
      events.filter((other) => other === type).length === 1,
      `${phase} ${callId} has events ${events.join(', ')}`,
    );
  const wanted = [
    'call.initiated',
    ...(phase === 'voicemail' ? [] : ['call.queued']),
    ...(wasAnswered ? ['call.answered'] : []),
    'call.ended',
  ];
  const order = events.filter((type) => wanted.includes(type));
  requireThat(order.join() === wanted.join(), `${phase} ${callId} has events ${events.join(', ')}`);
}

/** The switch is killed permanently: every call ends once, within the limit. */
async function endWithSwitch(fixture: PhoneCompany, count: number): Promise<void> {
  const calls = await placeCalls(fixture, count, ['talking', 'consulting', 'queued', 'ringing', 'voicemail']);
  await sandbox(fixture.stack, 'PUT', '/faults', { switch: 'killed' });
  const killedAt = Date.now();
  let endedMs = 0;
  await forEach(calls, async (call) => {
    const { callId } = call;
    await waitUntil(async () => (await fixture.call(callId)).state === 'ended', {
      what: 'the end of a call',
      timeoutMs: 60_000,
    }).catch(explained(fixture, call));
    const { body } = await fixture.company.call('GET', `/calls/${callId}/timeline`);
    const ended = (body.entries as Entry[]).find(({ type, what }) => type === 'state' && what === 'ended');
    endedMs = Math.max(endedMs, Date.parse(ended!.at) - killedAt);
  });
  await sandbox(fixture.stack, 'DELETE', '/faults');
  console.log(`  the switch was killed: ${calls.length} calls ended within ${(endedMs / 1000).toFixed(1)} s`);
  requireThat(endedMs <= ENDED_WITHIN_MS, 'calls of a killed switch ended too late');
  await forEach(calls, async ({ callId }) => {
    const events = await fixture.events(callId, 'call.ended');
    requireThat(
      events.filter((type) => type === 'call.ended').length === 1,
      `a call ended twice: ${events.join(', ')}`,
    );
  });
}
