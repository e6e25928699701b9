import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { header } from '@parley/sip';
import type { EventSocketClient } from './event-socket-client.ts';
import { SipClient } from './sip-over-websocket.ts';
import { PAGE_ORIGIN, startBrowserPhones, type TestBrowserPhones } from './start-browser-phones.ts';

const SECRET = 'secret of Ada';
let network: TestBrowserPhones;
let events: EventSocketClient;
let phones: SipClient[] = [];

async function start(lifetime?: { expiresSecs: number; lateMs: number }): Promise<void> {
  network = await startBrowserPhones({ emp_1: SECRET }, lifetime);
  events = network.events;
}

async function connect(user = 'emp_1', password = SECRET): Promise<SipClient> {
  const phone = await SipClient.connect(network.url, user, password);
  phones.push(phone);
  return phone;
}

async function registered(): Promise<SipClient> {
  const phone = await connect();
  expect((await phone.register()).status).toBe(200);
  return phone;
}

const custom = (subclass: string) =>
  events.until(subclass, ({ name, headers }) => name === 'CUSTOM' && headers['Event-Subclass'] === subclass);
const contacts = () => network.contacts('emp_1');

afterEach(async () => {
  for (const phone of phones) phone.drop();
  phones = [];
  await network.stop();
});

describe('a connection', () => {
  beforeEach(() => start());

  const connectFrom = async (origin: string | undefined) => {
    phones.push(await SipClient.connect(network.url, 'emp_1', SECRET, origin));
  };

  it.each([PAGE_ORIGIN, undefined])('a connection from a page of %s is taken', async (origin) => {
    await connectFrom(origin);
  });

  it.each(['http://evil.example', 'http://127.0.0.1:18081', 'https://127.0.0.1:18080', 'null'])(
    'a connection from a page of %s is refused',
    async (origin) => {
      await expect(connectFrom(origin)).rejects.toThrow('403');
    },
  );
});

describe('a browser registers', () => {
  beforeEach(() => start());

  it('a browser registers with the credentials of its session, which call-control checks', async () => {
    const response = await (await connect()).register();
    expect([response.status, header(response, 'contact')]).toEqual([200, expect.stringContaining(';expires=60')]);
    const { headers } = await custom('sofia::register');
    expect(headers).toMatchObject({
      'from-user': 'emp_1',
      status: 'Registered(WS-NAT)',
      expires: '60',
      employee_id: 'emp_1',
      contact: expect.stringMatching(
        /^"" <sip:\w+@abc\.invalid;transport=ws;fs_nat=yes;fs_path=sip%3A\w+%40127\.0\.0\.1%3A\d+%3B/,
      ),
    });
    expect(await contacts()).toHaveLength(1);
    expect(network.asked[0]!.get('sip_auth_method')).toBe('REGISTER');
    expect(network.asked[0]!.get('ip')).toBe('127.0.0.1');
  });

  it.each([
    ['a wrong secret', 'emp_1', 'other'],
    ['an unknown user', 'emp_9', SECRET],
  ])('a browser cannot register with %s', async (_what, user, password) => {
    const phone = await connect(user, password);
    expect((await phone.register()).status).toBe(403);
    expect(await contacts()).toEqual([]);
  });

  it('a browser cannot register as somebody else', async () => {
    const phone = await connect();
    const other = '<sip:emp_2@parley.invalid>';
    expect((await phone.register({ From: `${other};tag=1`, To: other })).status).toBe(403);
  });

  it('a browser registers with whatever address it writes, as FreeSWITCH does, but not without one', async () => {
    const phone = await connect();
    const uri = 'sip:a,sofia/external/+1900@b;x=:_:[y=1]c';
    expect((await phone.register({ Contact: `<${uri}>;expires=60` })).status).toBe(200);
    // FreeSWITCH lists it so for dialling: the text of the phone has become a second destination.
    expect(await contacts()).toEqual([
      'sofia/internal/sip:a',
      expect.stringMatching(/^sofia\/external\/\+1900@b;x=:_:\[y=1\]c;fs_nat=yes;fs_path=/),
    ]);
    expect((await (await connect()).register({ Contact: '<tel:+4520304050>;expires=60' })).status).toBe(400);
  });

  it('a browser registers and unregisters, alone or with every other browser of the employee', async () => {
    const [one, two] = [await registered(), await registered()];
    expect(await contacts()).toHaveLength(2);
    await one.register({ Contact: `<${one.contact}>;expires=0` });
    expect(await contacts()).toHaveLength(1);
    await registered();
    await two.register({ Contact: '*', Expires: '0' });
    expect(await contacts()).toEqual([]);
  });

  it('a browser that has registered is gone when its connection closes', async () => {
    const phone = await registered();
    phone.drop();
    expect((await custom('sofia::unregister')).headers).toMatchObject({
      'from-user': 'emp_1',
      reason: 'socket-disconnection',
    });
    expect(await contacts()).toEqual([]);
  });

  it('a browser that has registered is gone when the registration is flushed, until it registers again', async () => {
    const phone = await registered();
    await events.api('sofia profile internal flush_inbound_reg emp_1@parley.invalid');
    expect((await custom('sofia::expire')).headers).toMatchObject({ user: 'emp_1', host: 'parley.invalid' });
    expect(await contacts()).toEqual([]);
    await phone.register();
    expect(await contacts()).toHaveLength(1);
  });
});

describe('a registration', () => {
  it('a registration expires unless it is renewed', async () => {
    await start({ expiresSecs: 1, lateMs: 50 });
    await registered();
    await custom('sofia::expire');
    expect(await contacts()).toEqual([]);
  });
});

describe('a call to a browser', () => {
  beforeEach(() => start());

  const ring = async (id: string, phone: number) => {
    const contact = (await contacts())[phone]!;
    const variables = `origination_uuid=${id},origination_caller_id_number=+4520304050,sip_h_X-Parley-Call=cal_1`;
    return events.job(`originate {${variables}}${contact} &park()`);
  };

  it('a call to a browser rings with the caller and our headers; a refusal ends it', async () => {
    const phone = await registered();
    const job = ring('leg-1', 0);
    const invite = await phone.untilRequest('INVITE');
    expect(header(invite, 'from')).toContain('<sip:+4520304050@');
    expect(header(invite, 'x-parley-call')).toBe('cal_1');
    expect(invite.body).toContain('m=audio');
    expect(events.events.some(({ name }) => name === 'CHANNEL_PROGRESS')).toBe(false);
    phone.respond(invite, 180);
    await events.untilEvent('leg-1', 'CHANNEL_PROGRESS');
    phone.respond(invite, 486);
    expect(await job).toBe('-ERR USER_BUSY');
    await phone.untilRequest('ACK');
  });

  it('a call to a browser goes to the address that was dialled, not to the text that the phone has registered', async () => {
    const phone = await connect();
    const uri = 'sip:a@b.invalid;x=:_:[origination_caller_id_number=1]';
    expect((await phone.register({ Contact: `<${uri}>;expires=60` })).status).toBe(200);
    const path = /;fs_path=.*$/.exec((await contacts())[0]!)![0];
    const dialled = `sofia/internal/sip:a@b.invalid;transport=ws;fs_nat=yes${path}`;
    const job = events.job(`originate {origination_uuid=leg-1}${dialled} &park()`);
    const invite = await phone.untilRequest('INVITE');
    expect([invite.uri, header(invite, 'to')]).toEqual([
      'sip:a@b.invalid;transport=ws',
      '<sip:a@b.invalid;transport=ws>',
    ]);
    phone.respond(invite, 486);
    expect(await job).toBe('-ERR USER_BUSY');
  });

  it('a call to a browser that was answered elsewhere is cancelled with that reason; another one with its cause', async () => {
    const phone = await registered();
    const lost = ring('leg-1', 0);
    const first = await phone.untilRequest('INVITE');
    phone.respond(first, 180);
    await events.untilEvent('leg-1', 'CHANNEL_PROGRESS');
    await events.api('uuid_kill leg-1 LOSE_RACE');
    const cancel = await phone.untilRequest('CANCEL');
    expect(header(cancel, 'reason')).toBe('SIP;cause=200;text="Call completed elsewhere"');
    expect([header(cancel, 'via'), header(cancel, 'to')]).toEqual([header(first, 'via'), header(first, 'to')]);
    phone.respond(first, 487);
    await phone.untilRequest('ACK');
    phone.received.length = 0;
    const unanswered = ring('leg-2', 0);
    const second = await phone.untilRequest('INVITE');
    phone.respond(second, 180);
    await events.untilEvent('leg-2', 'CHANNEL_PROGRESS');
    await events.api('uuid_kill leg-2 NO_ANSWER');
    expect(header(await phone.untilRequest('CANCEL'), 'reason')).toBe('Q.850;cause=19;text="NO_ANSWER"');
    expect(await Promise.all([lost, unanswered])).toEqual(['-ERR LOSE_RACE', '-ERR NO_ANSWER']);
  });

  it('a call to a browser that the browser answers too late is over for it', async () => {
    const phone = await registered();
    const unanswered = ring('leg-1', 0);
    const invite = await phone.untilRequest('INVITE');
    await events.api('uuid_kill leg-1 NO_ANSWER');
    await phone.untilRequest('CANCEL');
    phone.respond(invite, 200, { Contact: `<${phone.contact}>` });
    await phone.untilRequest('ACK');
    await phone.untilRequest('BYE');
    expect(await unanswered).toBe('-ERR NO_ANSWER');
  });
});

describe('requests outside of a call', () => {
  beforeEach(() => start());

  it('OPTIONS is responded to, a BYE has no call, a call without credentials is refused', async () => {
    const phone = await connect();
    expect((await phone.request('OPTIONS', 'sip:parley.invalid')).status).toBe(200);
    expect((await phone.request('BYE', 'sip:parley.invalid')).status).toBe(481);
    const stranger = await connect('emp_1', 'other');
    expect((await stranger.request('INVITE', 'sip:+4570112233@parley.invalid')).status).toBe(403);
    expect(events.events.some(({ name }) => name === 'CHANNEL_CREATE')).toBe(false);
  });
});
