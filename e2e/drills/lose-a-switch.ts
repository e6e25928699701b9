// One of two switches is lost with its calls: they end, once; those of the other one go on; it takes calls again when it is back.
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@parley/embedded';
import { waitUntil } from '@parley/testkit/wait-until';
import { type Employee, openPhoneCompany, type PhoneCompany } from '../calls/phone-company.ts';
import { requireThat } from '../stress/stress-stack.ts';
import { sandbox, succeeded } from '../support/api.ts';
import type { Random } from '../support/random.ts';
import { openHook } from '../webhooks/hooks.ts';
import { type Drill, secs } from './drill.ts';
import { type DrillStack, startDrillStack } from './drill-stack.ts';

const SECOND = 'sandbox@2';
const CALLS_EACH = 3;
const SECRET = 'secret of the second switch';
/** The promise of docs/telephony.md: four seconds where the address refuses connections, and the time until that is noticed. */
const ENDED_WITHIN_MS = 15_000;
const AWAY_MS = { least: 3_000, more: 15_000 };
const TALKING_MS = { least: 1_000, more: 6_000 };
/** From the first of the calls that are set up when it is lost until then. */
const SET_UP_MS_MAX = 1_500;
const SET_UPS = 4;
const BACK_WITHIN_MS = 60_000;

interface Talk {
  readonly employee: Employee;
  readonly number: string;
  readonly legId: string;
  readonly callId: string;
}

export async function drillLoseASwitch(drill: Drill): Promise<void> {
  const { random, say } = drill;
  const stack = await startDrillStack(drill);
  const second = await addSwitch(stack);
  say('the stack runs, with two switches');
  const sides = [await openSide(stack, stack.local.sandbox_url), await openSide(stack, second)];
  const talks = await Promise.all(sides.map(({ fixture }) => talkingCalls(fixture)));
  say(`${CALLS_EACH} conversations on each`);
  await sleep(TALKING_MS.least + random.below(TALKING_MS.more));

  const lost = random.below(2);
  const [lostSide, otherSide] = [sides[lost]!, sides[1 - lost]!];
  const isProcess = lost === 1 && random.chance(0.5);
  const callers = startSetUps(lostSide.fixture, await ringingNumber(lostSide.fixture), random);
  await sleep(random.below(SET_UP_MS_MAX));
  const lostAt = Date.now();
  if (isProcess) await stack.stop(SECOND);
  else await succeeded(sandbox(lostSide.fixture.stack, 'PUT', '/faults', { switch: 'killed' }));
  say(`the ${lost === 0 ? 'first' : 'second'} switch ${isProcess ? 'ended as a process' : 'was killed'}`);
  const awayMs = AWAY_MS.least + random.below(AWAY_MS.more);
  const away = sleep(awayMs);

  let endedMs = 0;
  for (const { callId } of talks[lost]!) {
    await lostSide.fixture.state(callId, 'ended');
    endedMs = Math.max(endedMs, Date.now() - lostAt);
  }
  const setUps = await callsFrom(lostSide.fixture, callers);
  for (const { id } of setUps) {
    await lostSide.fixture.state(id, 'ended');
    endedMs = Math.max(endedMs, Date.now() - lostAt);
  }
  say(`its calls, ${setUps.length} of them in their set-up, ended within ${secs(endedMs)}`);
  requireThat(endedMs < ENDED_WITHIN_MS, `calls of a lost switch ended only after ${secs(endedMs)}`);
  await away;
  for (const { callId, legId } of talks[1 - lost]!) {
    const { state } = await otherSide.fixture.call(callId);
    const leg = await otherSide.fixture.leg(legId);
    requireThat(
      state === 'bridged' && leg.state !== 'ended',
      `a call of the other switch is ${state}, its leg ${leg.state}`,
    );
  }
  say(`${secs(awayMs)} later the calls of the other one go on`);

  if (isProcess) await startSwitch(stack, second);
  else await succeeded(sandbox(lostSide.fixture.stack, 'PUT', '/faults', { switch: 'up' }));
  const backAt = performance.now();
  const [first] = talks[lost]! as [Talk];
  await lostSide.fixture.online(first.employee);
  await waitUntil(() => callAgain(lostSide.fixture, first), {
    what: 'a call on the switch that is back',
    timeoutMs: BACK_WITHIN_MS,
  });
  say(`the switch is back and takes calls after ${secs(performance.now() - backAt)}`);
  for (const talk of talks[1 - lost]!) await otherSide.fixture.over(talk);
  for (const [index, { ended }] of sides.entries())
    for (const { callId } of talks[index]!)
      requireThat((await ended(callId)) === 1, `${callId} was reported as ended not once`);
  const known = await callsFrom(lostSide.fixture, callers);
  for (const { id } of known)
    requireThat((await lostSide.ended(id)) === 1, `${id}, lost in its set-up, was reported as ended not once`);
  requireThat(
    new Set(known.map(({ from }) => from)).size === known.length,
    `a caller of a set-up has several calls: ${JSON.stringify(known)}`,
  );
  say('every call was reported as ended once');
}

/** A second telephone network, as another switch of call-control. */
async function addSwitch(stack: DrillStack): Promise<string> {
  const first = stack.settingsOf('sandbox');
  const [http, smtp, eventSocket] = [await freePort(), await freePort(), await freePort()];
  const url = `http://127.0.0.1:${http}`;
  stack.add(SECOND, {
    ...first,
    GRPC_LISTEN: `127.0.0.1:${await freePort()}`,
    HEALTH_LISTEN: `127.0.0.1:${await freePort()}`,
    SANDBOX_LISTEN: `127.0.0.1:${http}`,
    SMTP_LISTEN: `127.0.0.1:${smtp}`,
    EVENT_SOCKET_LISTEN: `127.0.0.1:${eventSocket}`,
    SWITCH_HTTP_CREDENTIALS: `second:${SECRET}`,
    SWITCH_FILES_DIR: path.join(stack.dataDir, 'second-switch'),
  });
  await startSwitch(stack, url);
  const second = {
    name: 'second',
    url: `esl://call-control:${first['EVENT_SOCKET_PASSWORD']}@127.0.0.1:${eventSocket}`,
    secret: SECRET,
  };
  const switches = [...JSON.parse(stack.settingsOf('call-control')['SWITCHES'] ?? '[]'), second];
  stack.change('call-control', { SWITCHES: JSON.stringify(switches) });
  await stack.rollOut('call-control');
  // Its company has a receiver of webhooks there as well.
  const origins = stack.settingsOf('webhooks')['ALLOWED_ORIGINS'];
  stack.change('webhooks', { ALLOWED_ORIGINS: `${origins},${url}` });
  await stack.rollOut('webhooks');
  return url;
}

async function startSwitch(stack: DrillStack, url: string): Promise<void> {
  await stack.start(SECOND, { awaitsReady: false });
  await waitUntil(async () => (await fetch(`${url}/faults`)).ok, {
    what: 'the second switch',
    timeoutMs: BACK_WITHIN_MS,
  });
}

/** A company whose phones and callers are at one switch; the receiver of its webhooks is at the first, which stays. */
async function openSide(stack: DrillStack, sandboxUrl: string) {
  const fixture = await openPhoneCompany({ ...stack.local, sandbox_url: sandboxUrl });
  const hook = openHook(fixture.company, stack.local);
  await succeeded(fixture.company.call('POST', '/webhooks', { name: 'Ends', url: hook.url, events: ['call.ended'] }));
  const idsOf = async (callId: string) =>
    (await hook.arrived()).filter(({ body }) => body.data['id'] === callId).map(({ headers }) => headers['webhook-id']);
  return {
    fixture,
    /** How many events report the end of a call. */
    ended: (callId: string) =>
      waitUntil(async () => new Set(await idsOf(callId)).size, {
        what: `the end of ${callId}`,
        timeoutMs: BACK_WITHIN_MS,
      }),
  };
}

async function talkingCalls(fixture: PhoneCompany): Promise<Talk[]> {
  const talks: Talk[] = [];
  for (let count = 0; count < CALLS_EACH; count++) {
    const employee = await fixture.hire(`Ada${count}`, true);
    const config = { type: 'TransferConfig', employee_ids: [employee.id] };
    const number = await fixture.number(config, { awaitsPrompts: false });
    talks.push({ employee, number, ...(await fixture.talk(number, employee)) });
  }
  return talks;
}

/** The first call to it rings at an employee, the others wait. */
async function ringingNumber(fixture: PhoneCompany): Promise<string> {
  const { id } = await fixture.hire('Bob', true);
  return fixture.number({ type: 'TransferConfig', employee_ids: [id] }, { awaitsPrompts: false });
}

/** Customers who call one after the other, each of whose calls is in another phase of its set-up; returns their numbers. */
function startSetUps(fixture: PhoneCompany, number: string, random: Random): string[] {
  const callers = Array.from({ length: SET_UPS }, (_, index) => `+45265${String(index).padStart(5, '0')}`);
  for (const from of callers)
    void sleep(random.below(SET_UP_MS_MAX)).then(() => fixture.dial(number, from).catch(() => undefined));
  return callers;
}

async function callsFrom(
  { company }: PhoneCompany,
  callers: readonly string[],
): Promise<{ id: string; from: string }[]> {
  const { body } = await succeeded(company.call('GET', '/calls'));
  return (body.calls as { id: string; from: string }[]).filter(({ from }) => callers.includes(from));
}

/** A caller is answered and hangs up; false while the switch is not there yet. */
async function callAgain(fixture: PhoneCompany, { number, employee }: Talk): Promise<boolean> {
  const legId = await fixture.dial(number);
  const isRinging = await waitUntil(
    async () => (await fixture.phone(employee)).legs.some(({ state }) => state === 'ringing'),
    {
      what: 'ringing',
      timeoutMs: 5_000,
    },
  ).catch(() => false);
  if (!isRinging) return fixture.hangUp(legId).then(() => false);
  await fixture.answer(employee);
  await fixture.state(await fixture.callOf(legId), 'bridged');
  await fixture.hangUp(legId);
  return true;
}
