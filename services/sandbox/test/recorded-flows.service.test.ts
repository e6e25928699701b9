import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { waitUntil } from '@parley/testkit';
import { EventSocketClient, linesByLeg } from './event-socket-client.ts';
import { recordedFlows } from './recorded-flows.ts';
import { PASSWORD, startNetwork, type TestNetwork } from './start-network.ts';

let test: TestNetwork;
let client: EventSocketClient;

async function start(random: () => number): Promise<void> {
  // The real interval, so that a command can come before the switch has checked a channel again.
  test = await startNetwork({ random, tickMs: 20 });
  client = await EventSocketClient.open(test.port, PASSWORD);
}

afterEach(async () => {
  client.close();
  await test.stop();
});

const MUSIC = 'local_stream://moh';

/** A customer who has been answered. */
async function answered(): Promise<string> {
  const { id } = test.customer();
  await client.untilEvent(id, 'CHANNEL_PARK');
  expect(await client.api(`uuid_answer ${id}`)).toBe('+OK');
  return id;
}

/** Lets a phone ring; resolves while it is ringing. */
async function rings(uuid: string, application = '&park()', user = uuid): Promise<{ result: Promise<string> }> {
  const contact = test.phone(user);
  const result = client.job(
    `originate {origination_uuid=${uuid},originate_timeout=8,ignore_early_media=true,app_call=c-1}${contact} ${application}`,
  );
  await client.untilEvent(uuid, 'CHANNEL_PROGRESS');
  return { result };
}

async function answers(uuid: string, ringing: { result: Promise<string> }): Promise<void> {
  expect(test.network.answer(test.leg(uuid))).toBe(true);
  expect(await ringing.result).toBe(`+OK ${uuid}`);
}

async function bridge(a: string, b: string, count = 1): Promise<void> {
  expect(await client.api(`uuid_bridge ${a} ${b}`)).toBe(`+OK ${b}`);
  await client.untilEvent(a, 'CHANNEL_BRIDGE', count);
}

/** Customer and controller talk, and both are moved into a conference with the customer on hold. */
async function transferBegun(room: string): Promise<{ a: string; b: string; member: (uuid: string) => string }> {
  const a = await answered();
  await client.api(`uuid_setvar_multi ${a} app_role=customer;park_after_bridge=true`);
  const b = 'controller';
  await answers(b, await rings(b));
  await client.untilEvent(b, 'CHANNEL_PARK');
  await client.api(`uuid_setvar_multi ${b} app_role=controller;park_after_bridge=true`);
  await bridge(a, b);
  expect(await client.api(`uuid_transfer ${a} -both conference:${room}@xfer inline`)).toBe('+OK');
  await Promise.all([client.untilAction(a, 'add-member'), client.untilAction(b, 'add-member')]);
  const member = (uuid: string) =>
    client.events.findLast(({ headers }) => headers.Action === 'add-member' && headers['Unique-ID'] === uuid)!.headers[
      'Member-ID'
    ]!;
  expect(await client.api(`conference ${room} hold ${member(a)} ${MUSIC}`)).toBe(`+OK hold ${member(a)}`);
  await client.untilAction(a, 'hold-member');
  return { a, b, member };
}

const ended = (...uuids: string[]) =>
  Promise.all(uuids.map((uuid) => client.untilEvent(uuid, 'CHANNEL_HANGUP_COMPLETE')));
const destroyed = () =>
  client.until('the end of the conference', ({ headers }) => headers.Action === 'conference-destroy');

const sorted = (lines: readonly string[] | undefined) => [...(lines ?? [])].sort();
function expectFlow(name: keyof typeof recordedFlows): void {
  const { '-': others, ...legs } = linesByLeg(client.events);
  const { '-': recordedOthers, ...recordedLegs } = recordedFlows[name] as Record<string, readonly string[]>;
  expect(legs).toEqual(recordedLegs);
  expect(sorted(others)).toEqual(sorted(recordedOthers));
}

/** Events that a real switch publishes in either order are tested in both orders. */
describe.each([
  ['one way', () => 0.1],
  ['the other way', () => 0.9],
])('a flow recorded from a real switch, %s round', (_name, random) => {
  beforeEach(() => start(random));

  it('flow b1 is as recorded: prompt, keys, recording, hang-up', async () => {
    const a = await answered();
    await client.play(a, 'tone_stream://%(10000,0,440)', 'pb-1');
    await client.untilEvent(a, 'PLAYBACK_START');
    test.network.press(test.leg(a), '1');
    await client.untilEvent(a, 'DTMF');
    await client.api(`uuid_break ${a}`);
    const stop = await client.untilEvent(a, 'CHANNEL_EXECUTE_COMPLETE', 2);
    expect(stop.headers).toMatchObject({ 'Application-UUID': 'pb-1', 'Application-Response': 'FILE PLAYED' });
    expect(await client.api(`uuid_record ${a} start /recordings/b1.wav`)).toBe('+OK Success');
    test.network.press(test.leg(a), '2');
    await client.untilEvent(a, 'DTMF', 2);
    expect(await client.api(`uuid_record ${a} stop /recordings/b1.wav`)).toBe('+OK Success');
    expect(await client.api(`uuid_record ${a} stop /recordings/b1.wav`)).toBe('-ERR Cannot stop record session!');
    expect(await client.api(`uuid_recv_dtmf ${a} 7`)).toBe(`+OK ${a} received DTMF 7.`);
    await client.untilEvent(a, 'DTMF', 3);
    test.network.press(test.leg(a), '#');
    await client.untilEvent(a, 'DTMF', 4);
    test.network.hangUp(test.leg(a));
    await ended(a);
    expectFlow('b1');
  });

  it('flow b3 is as recorded: the caller cancels before the answer', async () => {
    const leg = test.customer();
    await client.untilEvent(leg.id, 'CHANNEL_PARK');
    test.network.hangUp(leg);
    await ended(leg.id);
    expectFlow('b3');
  });

  it('flow b6 is as recorded: the recording of a bridged call is complete before the leg is', async () => {
    const a = await answered();
    await answers('b', await rings('b'));
    await client.untilEvent('b', 'CHANNEL_PARK');
    await bridge(a, 'b');
    await client.api(`uuid_record ${a} start /recordings/b6.wav`);
    test.network.hangUp(test.leg(a));
    await ended(a, 'b');
    expectFlow('b6');
  });

  it('flow c1 is as recorded: a ring group of separate legs', async () => {
    const a = await answered();
    expect(await client.api(`uuid_broadcast ${a} ${MUSIC} aleg`)).toBe('+OK Message sent');
    await client.untilEvent(a, 'PLAYBACK_START');
    const [b, c, d] = [await rings('b'), await rings('c'), await rings('d')];
    test.network.hangUp(test.leg('d'), 486);
    expect(await d.result).toBe('-ERR USER_BUSY');
    await answers('b', b);
    await client.untilEvent('b', 'CHANNEL_PARK');
    await bridge(a, 'b');
    expect(await client.api('uuid_kill c LOSE_RACE')).toBe('+OK');
    expect(await c.result).toBe('-ERR LOSE_RACE');
    await ended('c', 'd');
    test.network.hangUp(test.leg(a));
    await ended(a, 'b');
    expectFlow('c1');
  });

  it('flow c5 is as recorded: the called side hangs up, with and without park_after_bridge', async () => {
    const a = await answered();
    await answers('b', await rings('b'));
    await client.untilEvent('b', 'CHANNEL_PARK');
    await bridge(a, 'b');
    test.network.hangUp(test.leg('b'));
    await ended(a, 'b');
    expect(await client.api(`uuid_exists ${a}`)).toBe('false');

    const c = await answered();
    await client.api(`uuid_setvar ${c} park_after_bridge true`);
    const d = await rings('d');
    test.network.answer(test.leg('d'));
    await bridge(c, 'd');
    expect(await d.result).toBe('-ERR ORIGINATOR_CANCEL');
    test.network.hangUp(test.leg('d'));
    await client.untilEvent(c, 'CHANNEL_PARK', 2);
    await ended('d');
    await client.api(`uuid_kill ${c}`);
    await ended(c);
    expectFlow('c5');
  });

  it('flow d1 is as recorded: a warm transfer that completes', async () => {
    const { a, b, member } = await transferBegun('xfer-d1');
    await answers('t', await rings('t', '&conference(xfer-d1@xfer)'));
    await client.untilAction('t', 'add-member');
    expect(await client.api(`conference xfer-d1 unhold ${member(a)}`)).toBe(`+OK unhold ${member(a)}`);
    expect(await client.api(`conference xfer-d1 kick ${member(b)}`)).toBe(`+OK kicked ${member(b)}`);
    await ended(b);
    await bridge(a, 't', 2);
    await destroyed();
    expect(await client.api('conference xfer-d1 list')).toBe('-ERR Conference xfer-d1 not found');
    await client.api(`uuid_kill ${a}`);
    await ended(a, 't');
    expectFlow('d1');
  });

  it('flow d2 is as recorded: a warm transfer that is cancelled', async () => {
    const { a, b, member } = await transferBegun('xfer-d2');
    await answers('t', await rings('t', '&conference(xfer-d2@xfer)'));
    await client.untilAction('t', 'add-member');
    await client.api('uuid_kill t NORMAL_CLEARING');
    await ended('t');
    await client.api(`conference xfer-d2 unhold ${member(a)}`);
    await bridge(a, b, 2);
    await client.api(`uuid_kill ${b}`);
    await ended(b);
    await client.untilEvent(a, 'CHANNEL_PARK', 2);
    await client.api(`uuid_kill ${a}`);
    await ended(a);
    await destroyed();
    expectFlow('d2');
  });

  it('flow e1 is as recorded: the customer hangs up on hold', async () => {
    const { a, b } = await transferBegun('xfer-e1');
    await answers('t', await rings('t', '&conference(xfer-e1@xfer)'));
    await client.untilAction('t', 'add-member');
    expect(test.leg(a).state).toBe('on_hold');
    test.network.hangUp(test.leg(a));
    await ended(a);
    expect(test.leg(b).state).toBe('connected');
    await client.api('uuid_kill t');
    await client.api(`uuid_kill ${b}`);
    await ended('t', b);
    await destroyed();
    expectFlow('e1');
  });

  it('flow e2 is as recorded: the controller hangs up while the target rings', async () => {
    const { a, b } = await transferBegun('xfer-e2');
    const target = await rings('t', '&conference(xfer-e2@xfer)');
    test.network.hangUp(test.leg(b));
    await ended(b);
    expect(test.leg(a).state).toBe('on_hold');
    await client.api('uuid_kill t ORIGINATOR_CANCEL');
    expect(await target.result).toBe('-ERR ORIGINATOR_CANCEL');
    await ended('t');
    await client.api(`uuid_park ${a}`);
    await client.untilEvent(a, 'CHANNEL_PARK', 2);
    await destroyed();
    expect(test.leg(a).state).toBe('connected');
    await client.api(`uuid_kill ${a}`);
    await ended(a);
    expectFlow('e2');
  });

  it('flow e3 is as recorded: calls continue without a connection, and their state can be read back', async () => {
    const a = await answered();
    await client.api(`uuid_setvar_multi ${a} app_role=customer;park_after_bridge=true`);
    await answers('b', await rings('b'));
    await client.untilEvent('b', 'CHANNEL_PARK');
    await bridge(a, 'b');
    const contact = test.phone('lost');
    await client.command(`bgapi originate {origination_uuid=lost,app_call=c-1}${contact} &park()`);
    await client.untilEvent('lost', 'CHANNEL_PROGRESS');
    client.close();
    test.network.answer(test.leg('lost'));
    await waitUntil(() => test.network.switch.channels.get('lost')?.activity?.name === 'park', { what: 'the park' });

    client = await EventSocketClient.open(test.port, PASSWORD);
    const { row_count: count, rows } = JSON.parse(await client.api('show channels as json'));
    expect(count).toBe(3);
    expect(rows.map((row: Record<string, string>) => [row.uuid, row.state, row.application, row.callstate])).toEqual([
      [a, 'CS_SOFT_EXECUTE', 'uuid_bridge', 'ACTIVE'],
      ['b', 'CS_EXCHANGE_MEDIA', 'uuid_bridge', 'ACTIVE'],
      ['lost', 'CS_EXECUTE', 'park', 'ACTIVE'],
    ]);
    expect(await client.api('uuid_getvar lost app_call')).toBe('c-1');
    expect(await client.api(`uuid_getvar ${a} app_role`)).toBe('customer');
    expect(await client.api(`uuid_getvar ${a} bridge_uuid`)).toBe('b');
    expect(JSON.parse(await client.api(`uuid_dump ${a} json`))).toMatchObject({
      'Unique-ID': a,
      variable_app_role: 'customer',
      'Caller-Destination-Number': '+4570000001',
    });
    expect(await client.api('conference json_list')).toBe('[]');
    expect(client.events.filter(({ name }) => name === 'BACKGROUND_JOB')).toEqual([]);
    await client.api('uuid_kill lost');
    await client.api('uuid_kill b');
    await client.untilEvent(a, 'CHANNEL_PARK');
    await ended('lost', 'b');
    expect(await client.api('uuid_exists b')).toBe('false');
  });
});
