// Calls in all phases while call-control is killed with -9 again and again, and then the switch is killed.
import { setTimeout as sleep } from 'node:timers/promises';
import { openPhoneCompany, type PhoneCompany } from '../calls/phone-company.ts';
import { sandbox } from '../support/api.ts';
import { healthy } from '../support/kill-processes.ts';
import { type LocalStack, startLocalStack } from '../support/local-stack.ts';
import { processesOfService } from '../support/processes.ts';
import { waitUntil } from '@parley/testkit/wait-until';
import {
  differenceFromSwitch,
  forEach,
  NO_ANSWER_SECS,
  type PhaseCall,
  placeCalls,
  waitForTransfer,
} from './call-phases.ts';
import { type Amount, requireThat, untilAnswered } from './stress-stack.ts';

const KILLS = 12;
const EQUAL_WITHIN_MS = 5000;
const ENDED_WITHIN_MS = 10_000;
/** The longest a timer may be late besides the outage: its poll, and a machine with two cores. */
const LATE_MS = 5000;

export async function stressCallsKillNine({ count }: Amount): Promise<void> {
  const stack = await startLocalStack({ environment: { PARLEY_PROCESSES: 'separate' } });
  try {
    const fixture = await openPhoneCompany(stack.local);
    await surviveKills(stack, fixture, count);
    await endWithSwitch(fixture, Math.max(10, Math.floor(count / 3)));
  } finally {
    await stack.stop();
  }
}

async function surviveKills(stack: LocalStack, fixture: PhoneCompany, count: number): Promise<void> {
  const calls = await placeCalls(fixture, count);
  console.log(`  ${calls.length} calls are in their phases`);
  const killing = startKillingCallControl(stack);
  await Promise.all(calls.map((call) => goOn(fixture, call)));
  const { kills, outageMs } = await killing.done;
  console.log(`  ${kills} kills, the longest outage ${Math.round(outageMs / 1000)} s`);

  const differing = await differencesAfter(fixture, calls);
  requireThat(differing.length === 0, `calls differ from the switch: ${differing.join('; ')}`);
  // A silent caller's voicemail ends automatically, and so does a call that is not answered in time.
  for (const call of calls.filter(({ phase }) => phase !== 'timed' && phase !== 'voicemail')) {
    const { state, hangup_cause: cause } = await fixture.leg(call.legId);
    requireThat(state !== 'ended', `a call was dropped: ${call.phase}, ${cause}`);
  }
  await forEach(calls, (call) => checkTimers(fixture, call, outageMs));

  // Callers hang up while call-control is away once more.
  for (const pid of processesOfService(stack, 'call-control')) process.kill(pid, 'SIGKILL');
  await forEach(calls, ({ legId }) => fixture.hangUp(legId));
  await healthy(stack);
  await forEach(calls, (call) => checkEnd(fixture, call));
  const employees = calls.flatMap(({ employee, target }) => [employee, target]).filter((someone) => !!someone);
  await forEach(employees, (employee) => fixture.status(employee, 'available'));
  console.log(`  every call ended once, ${employees.length} employees are available again`);
}

/** Kills it every few seconds, whenever it is back. */
function startKillingCallControl(stack: LocalStack): { done: Promise<{ kills: number; outageMs: number }> } {
  const run = async () => {
    let outageMs = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      for (const pid of processesOfService(stack, 'call-control')) process.kill(pid, 'SIGKILL');
      const killedAt = performance.now();
      await healthy(stack);
      outageMs = Math.max(outageMs, performance.now() - killedAt);
      await sleep(1000 + Math.random() * 3000);
    }
    return { kills: KILLS, outageMs };
  };
  return { done: run() };
}

/** What the people in a call do meanwhile. They do it again when nothing comes of it, as people do. */
async function goOn(fixture: PhoneCompany, call: PhaseCall): Promise<void> {
  const { phase, index, legId, callId, employee, target, transferId } = call;
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
    if (index % 4 < 2) {
      // An outage may last longer than phones ring: then nobody answers in time.
      await fixture.sandbox('POST', `/phones/${target.id}/answer`);
      await waitForTransfer(employee, 'consulting', undefined);
    } else await waitForTransfer(employee, undefined);
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
async function differencesAfter(fixture: PhoneCompany, calls: readonly PhaseCall[]): Promise<string[]> {
  const until = performance.now() + EQUAL_WITHIN_MS;
  for (;;) {
    const found: string[] = [];
    await forEach(calls, async (call) => {
      const difference = await differenceFromSwitch(fixture, call);
      if (difference !== undefined) found.push(`${call.phase} ${call.callId} is ${difference}`);
    });
    if (found.length === 0 || performance.now() > until) return found;
  }
}

interface Entry {
  readonly at: string;
  readonly type: string;
  readonly what: string;
}

async function checkTimers(fixture: PhoneCompany, { phase, callId }: PhaseCall, outageMs: number): Promise<void> {
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
  const lateMs = Date.parse(timer!.at) - Date.parse(queued!.at) - NO_ANSWER_SECS * 1000;
  requireThat(more.length === 0, `a timer of ${callId} fired ${more.length + 1} times`);
  requireThat(lateMs >= 0 && lateMs <= outageMs + LATE_MS, `a timer of ${callId} was ${lateMs} ms late`);
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
  const killedAt = performance.now();
  await forEach(calls, ({ callId }) =>
    waitUntil(async () => (await fixture.call(callId)).state === 'ended', {
      what: 'the end of a call',
      timeoutMs: 60_000,
    }),
  );
  const endedMs = performance.now() - killedAt;
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
