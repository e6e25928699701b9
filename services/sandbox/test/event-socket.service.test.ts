import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { waitUntil } from '@parley/testkit';
import { EventSocketClient } from './event-socket-client.ts';
import { PASSWORD, startNetwork, type TestNetwork } from './start-network.ts';

let test: TestNetwork;
const clients: EventSocketClient[] = [];

beforeEach(async () => {
  test = await startNetwork();
});
afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  await test.stop();
});

async function connect(): Promise<EventSocketClient> {
  const client = await EventSocketClient.connect(test.port);
  clients.push(client);
  return client;
}
async function open(): Promise<EventSocketClient> {
  const client = await EventSocketClient.open(test.port, PASSWORD);
  clients.push(client);
  return client;
}

const NOBODY = '11111111-2222-3333-4444-555555555555';

describe('signing in', () => {
  it('signing in refuses everything before authentication, and a wrong password ends the connection with a notice', async () => {
    const client = await connect();
    expect((await client.command('api status')).text).toBe('-ERR command not found');
    expect((await client.command('auth wrong')).text).toBe('-ERR invalid');
    await waitUntil(() => client.closed, { what: 'the end' });
    expect(client.notices).toEqual([expect.stringContaining('Disconnected, goodbye.')]);
  });

  it('signing in is possible after a refused command, and `exit` ends the connection', async () => {
    const client = await connect();
    await client.command('api status');
    expect((await client.command(`auth ${PASSWORD}`)).text).toBe('+OK accepted');
    expect((await client.command('exit')).text).toBe('+OK bye');
    await waitUntil(() => client.closed, { what: 'the end' });
    expect(client.notices).toHaveLength(1);
  });

  it('signing in as a user gives lists of what is allowed, and what is not is answered by a command/reply', async () => {
    const client = await connect();
    const { text, headers } = await client.command(`userauth call-control@event-socket.parley.invalid:${PASSWORD}`);
    expect(text).toBe('+OK accepted');
    expect(headers.get('allowed-api')).toContain('originate');
    for (const line of ['api system id', 'bgapi system id', 'event json ALL', 'log debug']) {
      const reply = await client.command(line);
      expect([line, reply.text, reply.headers.get('content-type')]).toEqual([
        line,
        '-ERR permission denied',
        'command/reply',
      ]);
    }
    expect(await client.api('echo allowed')).toBe('allowed');
    expect((await client.command('event json CHANNEL_PARK CUSTOM sofia::register')).ok).toBe(true);
  });

  it.each(['userauth call-control@x:wrong', 'userauth somebody@x:PASSWORD', 'userauth', 'auth'])(
    'the login %s is refused',
    async (line) => {
      const client = await connect();
      expect((await client.command(line.replace('PASSWORD', PASSWORD))).text).toBe('-ERR invalid');
    },
  );
});

describe('a command', () => {
  it.each([
    ['api nosuchapi foo', '-ERR nosuchapi Command not found!'],
    [`api uuid_exists ${NOBODY}`, 'false'],
    [`api uuid_kill ${NOBODY}`, '-ERR No such channel!'],
    [`api uuid_answer ${NOBODY}`, '-ERROR'],
    ['api uuid_answer', '-ERROR'],
    [`api uuid_bridge ${NOBODY} ${NOBODY}`, '-ERR Invalid uuid'],
    [`api uuid_getvar ${NOBODY} foo`, '-ERR No such channel!'],
    [`api uuid_setvar ${NOBODY} foo bar`, '-ERR No such channel!'],
    [`api uuid_record ${NOBODY} start /x.wav`, '-ERR Cannot locate session!'],
    [`api uuid_transfer ${NOBODY} park inline`, '-ERR No such channel!'],
    [`api uuid_broadcast ${NOBODY} /x.wav aleg`, '-ERR invalid uuid'],
    [`api uuid_break ${NOBODY}`, '-ERR No such channel!'],
    [`api uuid_park ${NOBODY}`, '-ERR No such channel!'],
    [`api sched_del ${NOBODY}`, '+OK Deleted: 0'],
    ['api conference nosuch list', '-ERR Conference nosuch not found'],
    ['api conference list', '+OK No active conferences.'],
    ['api conference json_list', '[]'],
    ['api show channels as json', '{"row_count": 0}'],
    ['api global_getvar no_such_variable', '-ERR no reply'],
    ['api sofia_contact internal/nobody@parley.invalid', 'error/user_not_registered'],
    ['api fsctl ready_check', 'true'],
    ['api file_exists /nothing.wav', 'false'],
    ['api echo Grüße: 100% ☎', 'Grüße: 100% ☎'],
    [`sendmsg ${NOBODY}`, `-ERR invalid session id [${NOBODY}]`],
    ['sendmsg', '-ERR invalid session id []'],
    ['nosuchcommand', '-ERR command not found'],
    ['event json NO_SUCH_EVENT', '-ERR no keywords supplied'],
    ['event', '-ERR no keywords supplied'],
    ['event json CHANNEL_ANSWER NO_SUCH_EVENT', '+OK event listener enabled json'],
    ['nixevent HEARTBEAT', '+OK events nixed'],
    ['nixevent NO_SUCH', '-ERR no keywords supplied'],
    ['noevents', '+OK no longer listening for events'],
    ['filter', '-ERR command not found'],
    ['filter Unique-ID x', '+OK filter added. [Unique-ID]=[x]'],
    ['filter delete all', '+OK filter deleted. [all][]'],
    ['linger', '-ERR not controlling a session'],
    ['divert_events on', '-ERR not controlling a session.'],
  ])('the command %s is answered %s', async (line, answer) => {
    expect((await (await open()).command(line)).text).toBe(answer);
  });

  it('a command returns a new uuid after each start of the switch', async () => {
    const client = await open();
    expect(await client.api('eval ${core_uuid}')).toBe(test.network.switch.core.uuid);
  });

  it('a command is answered in order, and events wait until an api has ended', async () => {
    const [client, other] = [await open(), await open()];
    const slept = client.command('api msleep 1000');
    const second = client.command('api echo second');
    await other.command('sendevent CUSTOM', { 'Event-Subclass': 'sofia::register' });
    await other.until('the event', ({ name }) => name === 'CUSTOM');
    expect(client.events).toEqual([]);
    expect([(await slept).text, (await second).text]).toEqual(['+OK', 'second']);
    await client.until('the event', ({ name }) => name === 'CUSTOM');
  });

  it('a command in the background is answered at once and overtakes others', async () => {
    const client = await open();
    const slow = client.job('msleep 1000');
    expect(await client.job('echo overtakes')).toBe('overtakes');
    expect(await client.job('nosuchapi x')).toBe('-ERR nosuchapi Command not found!');
    expect(client.events.map(({ body }) => body.trim())).toEqual(['overtakes', '-ERR nosuchapi Command not found!']);
    expect(await slow).toBe('+OK');
  });

  it('a command may be split, may have CRLF, and two may come together', async () => {
    const client = await open();
    const [one, two] = [client.command('api echo one'), client.command('api echo two')];
    expect([(await one).text, (await two).text]).toEqual(['one', 'two']);
  });
});

describe('originate', () => {
  it.each([
    ['nosuch/endpoint &park()', '-ERR CHAN_NOT_IMPLEMENTED'],
    ['user/nobody@parley.invalid &park()', '-ERR USER_NOT_REGISTERED'],
    ['sofia/internal/sip:nobody@127.0.0.1:5999 &park()', '-ERR NORMAL_TEMPORARY_FAILURE'],
    [
      '{origination_caller_id_name=Smith John}sofia/external/+4520304050@carrier &park()',
      '-ERR DESTINATION_OUT_OF_ORDER',
    ],
    ['', '-USAGE: <call url>'],
  ])('originate %s fails with %s', async (line, answer) => {
    expect(await (await open()).job(`originate ${line}`)).toContain(answer);
  });

  it('originate refuses a uuid that is in use', async () => {
    const client = await open();
    const contact = test.phone('emp_1');
    const first = client.job(`originate {origination_uuid=same}${contact} &park()`);
    await client.untilEvent('same', 'CHANNEL_PROGRESS');
    expect(await client.job(`originate {origination_uuid=same}${contact} &park()`)).toBe(
      '-ERR DESTINATION_OUT_OF_ORDER',
    );
    await client.api('uuid_kill same ORIGINATOR_CANCEL');
    expect(await first).toBe('-ERR ORIGINATOR_CANCEL');
  });

  it('originate reads quoted variables, and an unquoted comma as another variable', async () => {
    const client = await open();
    const contact = test.phone('emp_1');
    const variables = String.raw`origination_uuid=quoted,origination_caller_id_name='Smith\, John',app_a=1,app_b=O\'Brien`;
    const job = client.job(`originate {${variables}}${contact} &park()`);
    const { headers } = await client.untilEvent('quoted', 'CHANNEL_CREATE');
    expect(headers).toMatchObject({
      'Caller-Caller-ID-Name': 'Smith, John',
      variable_app_a: '1',
      variable_app_b: "O'Brien",
    });
    await client.api('uuid_kill quoted');
    await job;
  });

  it('originate ends after the ringing time, by the clock', async () => {
    const client = await open();
    const job = client.job(`originate {origination_uuid=ring,originate_timeout=30}${test.phone('emp_1')} &park()`);
    await client.untilEvent('ring', 'CHANNEL_PROGRESS');
    test.clock.setOffsetMs(29_000);
    test.network.fireDue();
    expect(test.leg('ring').state).toBe('ringing');
    test.clock.setOffsetMs(30_000);
    test.network.fireDue();
    expect(await job).toBe('-ERR NO_ANSWER');
    const { headers } = await client.untilEvent('ring', 'CHANNEL_HANGUP_COMPLETE');
    expect(headers).toMatchObject({ variable_sip_hangup_disposition: 'send_cancel', variable_hangup_cause_q850: '19' });
  });

  it('originate of several rings all of them, and the first who answers ends the others', async () => {
    const client = await open();
    const contacts = [test.phone('emp_1'), test.phone('emp_1')];
    expect(await client.api('sofia_contact internal/emp_1@parley.invalid')).toBe(contacts.join(','));
    const job = client.job(`originate {originate_timeout=8}${contacts.join(',')} &park()`);
    await waitUntil(() => test.network.legs.live().filter(({ state }) => state === 'ringing').length === 2, {
      what: 'both',
    });
    const [first, second] = test.network.legs.live();
    test.network.answer(second!);
    expect(await job).toBe(`+OK ${second!.id}`);
    expect(first).toMatchObject({ state: 'ended', hangupCause: 'LOSE_RACE' });
  });
});

describe('two clients', () => {
  it('two clients get the same events in the same order, and each its own replies', async () => {
    const [one, other] = [await open(), await open()];
    const leg = test.customer();
    await Promise.all([one, other].map((client) => client.untilEvent(leg.id, 'CHANNEL_PARK')));
    const answers = await Promise.all([
      one.api(`uuid_setvar ${leg.id} app_a one`),
      other.api(`uuid_answer ${leg.id}`),
      one.api(`uuid_getvar ${leg.id} app_a`),
      other.api(`uuid_exists ${leg.id}`),
    ]);
    expect(answers).toEqual(['+OK', '+OK', 'one', 'true']);
    test.network.hangUp(leg);
    await Promise.all([one, other].map((client) => client.untilEvent(leg.id, 'CHANNEL_HANGUP_COMPLETE')));
    const names = (client: EventSocketClient) =>
      client.events.map(({ name, headers }) => [name, headers['Event-Sequence']]);
    expect(names(one)).toEqual(names(other));
    expect(one.events.length).toBeGreaterThan(6);
  });
});

describe('a call that is not taken', () => {
  it('a call that is not taken is released as busy after fifteen seconds', async () => {
    const client = await open();
    const leg = test.customer();
    await client.untilEvent(leg.id, 'CHANNEL_PARK');
    test.clock.setOffsetMs(15_000);
    test.network.fireDue();
    const { headers } = await client.untilEvent(leg.id, 'CHANNEL_HANGUP_COMPLETE');
    expect([headers['Hangup-Cause'], leg.state, leg.hangupCause]).toEqual(['USER_BUSY', 'ended', 'USER_BUSY']);
  });

  it('a call that is not taken stays when it has been taken', async () => {
    const client = await open();
    const leg = test.customer();
    await client.untilEvent(leg.id, 'CHANNEL_PARK');
    expect(await client.api(`sched_del ${leg.id}`)).toBe('+OK Deleted: 1');
    test.clock.setOffsetMs(60_000);
    test.network.fireDue();
    expect(await client.api(`uuid_exists ${leg.id}`)).toBe('true');
  });
});

describe('the switch as a fault', () => {
  it('the switch as a fault refuses and drops connections while it is down, and calls continue', async () => {
    const client = await open();
    const leg = test.customer();
    await client.untilEvent(leg.id, 'CHANNEL_PARK');
    await client.api(`uuid_answer ${leg.id}`);
    await test.network.setCondition('down');
    await waitUntil(() => client.closed, { what: 'the end of the connection' });
    expect(client.notices).toEqual([]);
    const dropped = await EventSocketClient.connect(test.port);
    await waitUntil(() => dropped.closed, { what: 'the end of a new connection' });
    expect(leg.state).toBe('connected');
    await test.network.setCondition('up');
    expect(await (await open()).api(`uuid_exists ${leg.id}`)).toBe('true');
  });

  it('the switch as a fault has lost every call and has another identity after it was killed', async () => {
    const client = await open();
    const before = await client.api('eval ${core_uuid}');
    const leg = test.customer();
    await client.untilEvent(leg.id, 'CHANNEL_PARK');
    const ringing = test.network;
    test.phone('emp_1');
    await ringing.setCondition('killed');
    expect(leg).toMatchObject({ state: 'ended', hangupCause: 'NETWORK_OUT_OF_ORDER' });
    expect(test.customer()).toMatchObject({ state: 'ended', hangupCause: 'NORMAL_TEMPORARY_FAILURE' });
    await expect(EventSocketClient.connect(test.port)).rejects.toThrow('ECONNREFUSED');
    await ringing.setCondition('up');
    const again = await open();
    expect(await again.api('eval ${core_uuid}')).not.toBe(before);
    expect(await again.api('show channels as json')).toBe('{"row_count": 0}');
    expect(await again.api('sofia_contact internal/emp_1@parley.invalid')).toBe('error/user_not_registered');
    expect(client.events.some(({ name }) => name === 'CHANNEL_HANGUP')).toBe(false);
  });
});

describe('registrations', () => {
  it('registrations are published, listed and flushed', async () => {
    const client = await open();
    test.phone('emp_1');
    test.phone('emp_2');
    const registered = await client.until(
      'emp_2',
      ({ headers }) => headers['Event-Subclass'] === 'sofia::register' && headers['from-user'] === 'emp_2',
    );
    expect(registered.headers).toMatchObject({
      'from-host': 'parley.invalid',
      contact: expect.stringMatching(/^"" <sip:emp_2@127\.0\.0\.1:\d+>$/),
      'call-id': 'emp_2-2',
      expires: '300',
      employee_id: 'emp_2',
      company_id: 'com_1',
    });
    const xml = await client.api('sofia xmlstatus profile internal reg');
    expect(xml.match(/<call-id>(.*?)<\/call-id>/g)).toEqual([
      '<call-id>emp_1-1</call-id>',
      '<call-id>emp_2-2</call-id>',
    ]);
    expect(xml).toContain('<contact>&quot;&quot; &lt;sip:emp_1@127.0.0.1:30001&gt;</contact>');
    expect(await client.api('sofia profile internal flush_inbound_reg emp_1@parley.invalid')).toContain('+OK');
    const expired = await client.until('the expiry', ({ headers }) => headers['Event-Subclass'] === 'sofia::expire');
    expect(expired.headers).toMatchObject({ user: 'emp_1', host: 'parley.invalid', 'call-id': 'emp_1-1' });
    expect(await client.api('sofia_contact internal/emp_1@parley.invalid')).toBe('error/user_not_registered');
  });
});
