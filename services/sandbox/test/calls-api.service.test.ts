import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { writeWav } from '@parley/audio';
import { notFound, Refused } from '@parley/errors';
import { createApi, createApp, listenHttp, type Listening } from '@parley/http';
import { createLog } from '@parley/telemetry';
import { waitUntil } from '@parley/testkit';
import { legEndpoints } from '../src/calls/leg-endpoints.ts';
import { speechEndpoints } from '../src/calls/speech-endpoints.ts';
import { phoneEndpoints } from '../src/phones/phone-endpoints.ts';
import { Softphones } from '../src/phones/softphones.ts';
import { SwitchFiles } from '../src/switch/switch-files.ts';
import type { Voice } from '../src/telephony/voice.ts';
import { EventSocketClient } from './event-socket-client.ts';
import { PASSWORD, startNetwork, type TestNetwork } from './start-network.ts';

/** Counts what it is asked to speak. */
const voice: Voice = {
  async speak(text) {
    spoken.push(text);
    return { samples: new Int16Array(16_000).fill(1000), sampleRate: 16_000 };
  },
  recognise: () => Promise.reject(new Error('nothing is heard as audio here')),
};

let test: TestNetwork;
let client: EventSocketClient;
let softphones: Softphones;
let http: Listening;
const spoken: string[] = [];
const told: string[] = [];

beforeEach(async () => {
  spoken.length = 0;
  told.length = 0;
  test = await startNetwork();
  client = await EventSocketClient.open(test.port, PASSWORD);
  softphones = new Softphones({ network: test.network, sipDomain: 'parley.invalid' });
  const endpoints = [
    ...legEndpoints({ network: test.network, recognise: voice.recognise }),
    ...speechEndpoints({ network: test.network, voice }),
    ...phoneEndpoints({
      network: test.network,
      softphones,
      employees: {
        async find(employeeId) {
          if (!employeeId.startsWith('emp_')) throw new Refused(notFound);
          return { employeeId, companyId: 'com_1' };
        },
      },
      presence: {
        untilApplied: async (employeeId, _callId, isRegistered) =>
          void told.push(`${employeeId} ${isRegistered ? 'on' : 'off'}`),
      },
    }),
  ];
  const log = createLog({ service: 'sandbox', level: 'silent' });
  http = await listenHttp(createApp({ apis: [createApi({ prefix: '', endpoints })], log }), '127.0.0.1:0');
});
afterEach(async () => {
  await http.close(0);
  softphones.stop();
  client.close();
  await test.stop();
});

async function ask(method: string, path: string, body?: unknown): Promise<{ status: number; body: any }> {
  const response = await fetch(`http://${http.address}${path}`, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  return { status: response.status, body: await response.json() };
}
const leg = async (id: string) => (await ask('GET', `/legs/${id}`)).body;

/** A customer has called and was answered. */
async function connected(from = '+4520304050'): Promise<string> {
  const { body } = await ask('POST', '/calls', { from, to: '+4570000001' });
  await client.untilEvent(body.leg_id, 'CHANNEL_PARK');
  await client.api(`uuid_answer ${body.leg_id}`);
  return body.leg_id;
}

describe('a customer', () => {
  it('a customer dials, is answered, hears what is played, presses keys and hangs up', async () => {
    const { status, body } = await ask('POST', '/calls', { from: '+45 20 30 40 50', to: '+4570000001' });
    expect([status, Object.keys(body)]).toEqual([201, ['leg_id']]);
    const id = body.leg_id;
    expect(await leg(id)).toEqual({ leg_id: id, state: 'dialing', said: [], heard: [], call_id: null });
    const { headers } = await client.untilEvent(id, 'CHANNEL_PARK');
    expect(headers).toMatchObject({
      'Caller-Caller-ID-Number': '+4520304050',
      'Caller-Destination-Number': '+4570000001',
      'Call-Direction': 'inbound',
    });
    expect(headers).not.toHaveProperty('variable_sip_authorized');
    await client.api(`uuid_setvar_multi ${id} app_call=call_7;park_after_bridge=true`);
    await client.api(`uuid_answer ${id}`);
    await client.play(id, 'tone_stream://%(100,0,1000)', 'beep');
    await client.untilEvent(id, 'PLAYBACK_STOP');
    expect(await leg(id)).toEqual({
      leg_id: id,
      state: 'connected',
      said: [],
      heard: [{ kind: 'beep' }],
      call_id: 'call_7',
    });
    expect((await ask('POST', `/legs/${id}/digits`, { digits: '12#' })).status).toBe(200);
    await client.untilEvent(id, 'DTMF', 3);
    const pressed = client.events.filter(({ name }) => name === 'DTMF');
    expect(pressed.map(({ headers: { 'DTMF-Digit': digit } }) => digit)).toEqual(['1', '2', '#']);
    expect((await ask('POST', `/legs/${id}/hangup`)).body.state).toBe('ended');
    expect(await leg(id)).toMatchObject({ state: 'ended', hangup_cause: 'NORMAL_CLEARING', call_id: 'call_7' });
  });

  it('a customer shows its call also when it hung up before call-control took it', async () => {
    const { body } = await ask('POST', '/calls', { from: '+4520304050', to: '+4570000001' });
    await ask('POST', `/legs/${body.leg_id}/hangup`);
    await client.untilEvent(body.leg_id, 'CHANNEL_HANGUP_COMPLETE');
    expect(await client.api(`uuid_setvar_multi ${body.leg_id} app_call=call_8;x=y`)).toBe('-ERR No such channel!');
    expect(await leg(body.leg_id)).toMatchObject({ state: 'ended', call_id: 'call_8' });
  });

  it('a customer may be anonymous', async () => {
    const { body } = await ask('POST', '/calls', { from: 'anonymous', to: '+4570000001' });
    const { headers } = await client.untilEvent(body.leg_id, 'CHANNEL_PARK');
    expect(headers).toMatchObject({ 'Caller-Caller-ID-Number': 'anonymous', 'Caller-Privacy-Hide-Number': 'true' });
  });

  it('a customer has the cause of a refused call', async () => {
    const { body } = await ask('POST', '/calls', { from: '+4520304050', to: '+4570999999' });
    await client.untilEvent(body.leg_id, 'CHANNEL_PARK');
    await client.api(`uuid_kill ${body.leg_id} UNALLOCATED_NUMBER`);
    expect(await leg(body.leg_id)).toMatchObject({ state: 'ended', hangup_cause: 'UNALLOCATED_NUMBER' });
  });

  it('a customer speaks, and the response follows the end of the speech', async () => {
    const id = await connected();
    await client.api(`uuid_record ${id} start /recordings/said.wav`);
    expect((await ask('POST', `/legs/${id}/say`, { text: 'Hello, is anybody there?' })).status).toBe(200);
    await client.api(`uuid_record ${id} stop /recordings/said.wav`);
    expect(spoken).toEqual(['Hello, is anybody there?']);
    const file = new SwitchFiles(test.folder).read('/recordings/said.wav')!;
    expect(file.length).toBeGreaterThanOrEqual(writeWav([new Int16Array(15_900)], 16_000).length);
  });

  it('a customer who presses a key before the answer is waited for', async () => {
    const { body } = await ask('POST', '/calls', { from: '+4520304050', to: '+4570000001' });
    const pressing = ask('POST', `/legs/${body.leg_id}/digits`, { digits: '5' });
    await client.untilEvent(body.leg_id, 'CHANNEL_PARK');
    await client.api(`uuid_answer ${body.leg_id}`);
    expect((await pressing).status).toBe(200);
    await client.untilEvent(body.leg_id, 'DTMF');
  });

  it.each([
    { from: '+4520304050' },
    { from: '+4520304050', to: 'nobody' },
    { from: '', to: '+4570000001' },
    { from: { $ne: 1 }, to: '+4570000001' },
    { from: '+4520304050', to: '1'.repeat(50) },
  ])('a customer cannot call with %j', async (body) => {
    expect(await ask('POST', '/calls', body)).toMatchObject({ status: 422, body: { code: 'validation_failed' } });
  });

  it('a customer cannot do anything with a leg that is over, or with none', async () => {
    const id = await connected();
    await ask('POST', `/legs/${id}/hangup`);
    expect(await ask('POST', `/legs/${id}/digits`, { digits: '1' })).toMatchObject({
      status: 409,
      body: { error: 'leg_ended' },
    });
    expect((await ask('POST', `/legs/${id}/say`, { text: 'hello' })).status).toBe(409);
    expect((await ask('POST', `/legs/${id}/answer`)).body.error).toBe('leg_not_ringing');
    expect((await ask('POST', `/legs/${id}/hangup`)).status).toBe(200);
    for (const [method, path, body] of [
      ['GET', '/legs/none', undefined],
      ['POST', '/legs/none/digits', { digits: '1' }],
      ['POST', '/legs/none/say', { text: 'x' }],
      ['POST', '/legs/none/hangup', undefined],
      ['POST', '/legs/none/answer', undefined],
    ] as const) {
      expect(await ask(method, path, body)).toEqual({ status: 404, body: { error: 'not_found' } });
    }
  });
});

async function ringPhone(employeeId: string, uuid: string): Promise<{ result: Promise<string> }> {
  const contact = await client.api(`sofia_contact internal/${employeeId}@parley.invalid`);
  const result = client.job(
    `originate {origination_uuid=${uuid},originate_timeout=30,park_after_bridge=true}${contact} &park()`,
  );
  await client.untilEvent(uuid, 'CHANNEL_PROGRESS');
  return { result };
}

describe('a softphone', () => {
  it('a softphone registers when it goes online, and unregisters', async () => {
    expect(await ask('PUT', '/phones/emp_1', { online: true })).toEqual({
      status: 200,
      body: { online: true, legs: [] },
    });
    const registered = await client.until('it', ({ headers }) => headers['Event-Subclass'] === 'sofia::register');
    expect(registered.headers).toMatchObject({ 'from-user': 'emp_1', employee_id: 'emp_1', company_id: 'com_1' });
    expect((await ask('GET', '/phones/emp_1')).body).toEqual({ online: true, legs: [] });
    expect((await ask('PUT', '/phones/emp_1', { online: false })).body.online).toBe(false);
    await client.until('the end', ({ headers }) => headers['Event-Subclass'] === 'sofia::unregister');
    expect(told).toEqual(['emp_1 on', 'emp_1 off']);
    expect((await ask('GET', '/phones/emp_1')).body.online).toBe(false);
  });

  it('a softphone registers again when the switch has been killed and is back', async () => {
    await ask('PUT', '/phones/emp_1', { online: true });
    await test.network.setCondition('killed');
    await test.network.setCondition('up');
    const again = await EventSocketClient.open(test.port, PASSWORD);
    expect(await again.api('sofia_contact internal/emp_1@parley.invalid')).toContain('sofia/internal/sip:emp_1@');
    again.close();
  });

  it('a softphone rings, is answered, and is connected with the customer', async () => {
    await ask('PUT', '/phones/emp_1', { online: true });
    const customer = await connected();
    const { result } = await ringPhone('emp_1', 'ring-1');
    expect((await ask('GET', '/phones/emp_1')).body.legs).toMatchObject([{ leg_id: 'ring-1', state: 'ringing' }]);
    expect((await ask('POST', '/phones/emp_1/answer')).body).toMatchObject({ leg_id: 'ring-1', state: 'connected' });
    expect(await result).toBe('+OK ring-1');
    await client.untilEvent('ring-1', 'CHANNEL_PARK');
    await client.api(`uuid_bridge ${customer} ring-1`);
    await client.untilEvent(customer, 'CHANNEL_BRIDGE');
    expect((await leg(customer)).heard).toEqual([{ kind: 'party', leg_id: 'ring-1' }]);
    expect((await leg('ring-1')).heard).toEqual([{ kind: 'party', leg_id: customer }]);
    await ask('POST', '/legs/ring-1/hangup');
    expect((await ask('GET', '/phones/emp_1')).body.legs).toEqual([]);
  });

  it('a softphone declines, also one of several', async () => {
    await ask('PUT', '/phones/emp_1', { online: true });
    const [one, two] = [await ringPhone('emp_1', 'ring-1'), await ringPhone('emp_1', 'ring-2')];
    expect((await ask('POST', '/phones/emp_1/decline', { leg_id: 'ring-2' })).body.state).toBe('ended');
    expect(await two.result).toBe('-ERR CALL_REJECTED');
    expect((await ask('POST', '/phones/emp_1/decline')).body.leg_id).toBe('ring-1');
    expect(await one.result).toBe('-ERR CALL_REJECTED');
    expect(await ask('POST', '/phones/emp_1/decline')).toMatchObject({
      status: 409,
      body: { error: 'leg_not_ringing' },
    });
    expect((await ask('POST', '/phones/emp_1/answer', { leg_id: 'ring-1' })).status).toBe(409);
    expect((await ask('POST', '/phones/emp_1/answer', { leg_id: 'none' })).status).toBe(404);
  });

  it('a softphone dials as its employee, hears the ringing tone, and reaches an external phone', async () => {
    expect(
      (await ask('POST', '/phones/emp_1/dial', { business_number_id: 'num_1', to: '+4511223344' })).body.error,
    ).toBe('phone_offline');
    await ask('PUT', '/phones/emp_1', { online: true });
    const dialled = await ask('POST', '/phones/emp_1/dial', { business_number_id: 'num_1', to: '+45 11 22 33 44' });
    expect(dialled.status).toBe(201);
    const id = dialled.body.leg_id;
    const { headers } = await client.untilEvent(id, 'CHANNEL_PARK');
    expect(headers).toMatchObject({
      'Caller-Destination-Number': '+4511223344',
      variable_sip_authorized: 'true',
      variable_sip_auth_username: 'emp_1',
      variable_employee_id: 'emp_1',
      variable_company_id: 'com_1',
      'variable_sip_h_X-Business-Number': 'num_1',
    });
    await client.api(`uuid_pre_answer ${id}`);
    await client.play(id, 'tone_stream://%(1000,4000,425);loops=-1', 'tone');
    await client.untilEvent(id, 'PLAYBACK_START');
    expect(await leg(id)).toMatchObject({ state: 'ringing', heard: [{ kind: 'ringtone' }] });
    const job = client.job(
      'originate {origination_uuid=out,originate_timeout=60}sofia/external/+4511223344@carrier &park()',
    );
    await waitUntil(async () => (await ask('GET', '/subscribers/+4511223344/legs')).body[0]?.state === 'ringing', {
      what: 'the external phone',
    });
    expect((await ask('GET', `/subscribers/${encodeURIComponent('+4511223344')}/legs`)).body).toHaveLength(1);
    expect((await ask('POST', '/legs/out/answer')).body.state).toBe('connected');
    expect(await job).toBe('+OK out');
    await client.untilEvent('out', 'CHANNEL_PARK');
    await client.api(`uuid_answer ${id}`);
    await client.api(`uuid_bridge ${id} out`);
    await client.untilEvent(id, 'CHANNEL_BRIDGE');
    expect(await leg(id)).toMatchObject({
      state: 'connected',
      heard: [{ kind: 'ringtone' }, { kind: 'party', leg_id: 'out' }],
    });
    await ask('POST', '/legs/out/hangup');
    expect((await ask('GET', '/subscribers/+4511223344/legs')).body).toEqual([]);
  });

  it('a softphone reaches an external phone that shows the caller, unless it is busy', async () => {
    const variables = 'origination_uuid=shown,originate_timeout=60,origination_caller_id_number=+4570000001';
    const job = client.job(`originate {${variables}}sofia/external/112@carrier &park()`);
    await waitUntil(async () => (await ask('GET', '/subscribers/112/legs')).body[0]?.state === 'ringing', {
      what: 'the external phone',
    });
    expect((await ask('GET', '/subscribers/112/legs')).body).toMatchObject([{ from: '+4570000001' }]);
    await ask('POST', '/legs/shown/hangup');
    expect(await job).toBe('-ERR CALL_REJECTED');

    const engaged = `/subscribers/${encodeURIComponent('+4511223344')}`;
    expect(await ask('PUT', engaged, { busy: true })).toMatchObject({
      status: 200,
      body: { number: '+4511223344', busy: true },
    });
    const dial = (id: string) =>
      client.job(`originate {origination_uuid=${id},originate_timeout=60}sofia/external/+4511223344@carrier &park()`);
    expect(await dial('engaged')).toBe('-ERR USER_BUSY');
    expect(await leg('engaged')).toMatchObject({ state: 'ended', hangup_cause: 'USER_BUSY' });
    await ask('PUT', engaged, { busy: false });
    const again = dial('free');
    await waitUntil(async () => (await leg('free')).state === 'ringing', { what: 'the phone that is free again' });
    await ask('POST', '/legs/free/hangup');
    expect(await again).toBe('-ERR CALL_REJECTED');
    expect((await ask('PUT', '/subscribers/nobody', { busy: true })).status).toBe(422);
    expect((await ask('PUT', engaged, { busy: 'yes' })).status).toBe(422);
  });

  it('a softphone of an unknown employee does not exist', async () => {
    for (const [method, path, body] of [
      ['GET', '/phones/nobody', undefined],
      ['PUT', '/phones/nobody', { online: true }],
      ['POST', '/phones/nobody/answer', undefined],
      ['POST', '/phones/nobody/decline', undefined],
      ['POST', '/phones/nobody/dial', { business_number_id: 'num_1', to: '+4511223344' }],
    ] as const) {
      expect(await ask(method, path, body)).toEqual({ status: 404, body: { error: 'not_found' } });
    }
  });
});

describe('a warm transfer, as the phones hear it', () => {
  it('a warm transfer, as the phones hear it, is music for the customer, and the colleague for the controller', async () => {
    await ask('PUT', '/phones/emp_1', { online: true });
    await ask('PUT', '/phones/emp_2', { online: true });
    const customer = await connected();
    await client.api(`uuid_setvar ${customer} park_after_bridge true`);
    await ringPhone('emp_1', 'b');
    await ask('POST', '/phones/emp_1/answer');
    await client.untilEvent('b', 'CHANNEL_PARK');
    await client.api(`uuid_bridge ${customer} b`);
    await client.untilEvent(customer, 'CHANNEL_BRIDGE');
    await client.api(`uuid_transfer ${customer} -both conference:room@parley inline`);
    await Promise.all([customer, 'b'].map((uuid) => client.untilAction(uuid, 'add-member')));
    const { headers } = await client.untilAction(customer, 'add-member');
    await client.api(`conference room hold ${headers['Member-ID']} local_stream://moh`);
    expect((await leg(customer)).state).toBe('on_hold');
    const contact = await client.api('sofia_contact internal/emp_2@parley.invalid');
    const job = client.job(`originate {origination_uuid=t}${contact} &conference(room@parley)`);
    await client.untilEvent('t', 'CHANNEL_PROGRESS');
    await ask('POST', '/phones/emp_2/answer');
    await job;
    await client.untilAction('t', 'add-member');
    await client.api(`conference room unhold ${headers['Member-ID']}`);
    await client.api(`uuid_bridge ${customer} t`);
    await client.untilEvent(customer, 'CHANNEL_BRIDGE', 2);
    expect((await leg(customer)).heard).toEqual([
      { kind: 'party', leg_id: 'b' },
      { kind: 'music' },
      { kind: 'party', leg_id: expect.any(String) },
      { kind: 'party', leg_id: expect.any(String) },
    ]);
    expect((await leg(customer)).heard.at(-1)).toEqual({ kind: 'party', leg_id: 't' });
    expect((await leg('b')).heard.slice(0, 2)).toEqual([
      { kind: 'party', leg_id: customer },
      { kind: 'party', leg_id: 't' },
    ]);
    expect((await leg('t')).heard[0]).toEqual({ kind: 'party', leg_id: 'b' });
  });
});
