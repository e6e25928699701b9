import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { writeWav } from '@parley/audio';
import { createApi, createApp, listenHttp, type Listening } from '@parley/http';
import { createLog } from '@parley/telemetry';
import { waitUntil } from '@parley/testkit';
import { readWav, type Sound } from '../src/audio/wav.ts';
import { legEndpoints } from '../src/calls/leg-endpoints.ts';
import { speechEndpoints } from '../src/calls/speech-endpoints.ts';
import { SwitchFiles } from '../src/switch/switch-files.ts';
import type { Voice } from '../src/telephony/voice.ts';
import { type EchoPhone, startEchoPhone } from './echo-phone.ts';
import { EventSocketClient } from './event-socket-client.ts';
import { PASSWORD, startNetwork, type TestNetwork } from './start-network.ts';

let test: TestNetwork;
let client: EventSocketClient;
let http: Listening;
let echo: EchoPhone;
let customer: string;
/** What the recogniser was given. */
let recognised: Sound[];

function tone(hz: number, seconds: number, sampleRate = 16_000): Sound {
  const samples = Int16Array.from({ length: seconds * sampleRate }, (_, at) =>
    Math.round(12_000 * Math.sin((2 * Math.PI * hz * at) / sampleRate)),
  );
  return { samples, sampleRate };
}

const voice: Voice = {
  // Half a second for each word.
  speak: async (text) => tone(600, text.split(' ').length / 2),
  async recognise(sound) {
    recognised.push(sound);
    return `${(sound.samples.length / sound.sampleRate).toFixed(1)} s`;
  },
};

beforeEach(async () => {
  recognised = [];
  test = await startNetwork();
  client = await EventSocketClient.open(test.port, PASSWORD);
  echo = await startEchoPhone();
  const endpoints = [
    ...legEndpoints({ network: test.network, recognise: voice.recognise }),
    ...speechEndpoints({ network: test.network, voice }),
  ];
  const log = createLog({ service: 'sandbox', level: 'silent' });
  http = await listenHttp(createApp({ apis: [createApi({ prefix: '', endpoints })], log }), '127.0.0.1:0');
  customer = test.customer().id;
  await client.untilEvent(customer, 'CHANNEL_PARK');
  await client.api(`uuid_setvar ${customer} park_after_bridge true`);
  await client.api(`sched_del ${customer}`);
  await client.api(`uuid_answer ${customer}`);
});
afterEach(async () => {
  await http.close(0);
  client.close();
  await echo.stop();
  await test.stop();
});

const url = (path: string) => `http://${http.address}${path}`;
async function ask(method: string, path: string, body?: unknown): Promise<{ status: number; body: any }> {
  const isBytes = body instanceof Buffer;
  const response = await fetch(url(path), {
    method,
    ...(body !== undefined && {
      body: isBytes ? new Uint8Array(body) : JSON.stringify(body),
      headers: { 'content-type': isBytes ? 'audio/wav' : 'application/json' },
    }),
  });
  return { status: response.status, body: await response.json() };
}
const leg = async (id: string) => (await ask('GET', `/legs/${id}`)).body;

/** What a leg has said and heard, 8 kHz. */
async function audioOf(id: string): Promise<{ said: Int16Array; heard: Int16Array }> {
  const response = await fetch(url(`/legs/${id}/audio`));
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'audio/wav']);
  const file = Buffer.from(await response.arrayBuffer());
  expect([file.readUInt16LE(22), file.readUInt32LE(24)]).toEqual([2, 8000]);
  const all = new Int16Array(file.buffer.slice(file.byteOffset + 44, file.byteOffset + file.length));
  return { said: all.filter((_, at) => at % 2 === 0), heard: all.filter((_, at) => at % 2 === 1) };
}

const LOUD = 1000;
const first = (samples: Int16Array) => samples.findIndex((sample) => Math.abs(sample) > LOUD) / 8;
const last = (samples: Int16Array) => samples.findLastIndex((sample) => Math.abs(sample) > LOUD) / 8;

const lengthOf = (samples: Int16Array) => last(samples) - first(samples);

const dial = (user: string, variables = '') =>
  client.job(
    `originate {origination_uuid=ast,park_after_bridge=true,sip_h_X-Call=call_1${variables}}sofia/internal/sip:${user}@${echo.address};transport=tcp &park()`,
  );

/** The customer and the phone at the SIP address hear each other. */
async function bridged(variables = ''): Promise<void> {
  expect(await dial('res-1', variables)).toBe('+OK ast');
  await client.untilEvent('ast', 'CHANNEL_PARK');
  await client.api(`uuid_bridge ${customer} ast`);
  await client.untilEvent(customer, 'CHANNEL_BRIDGE');
}

describe('a leg to a SIP address', () => {
  it('a leg to a SIP address hears the customer in real time, and the customer hears the echo a moment later', async () => {
    await bridged();
    const startedAt = performance.now();
    expect((await ask('POST', `/legs/${customer}/say`, { text: 'one two three' })).status).toBe(200);
    expect(performance.now() - startedAt).toBeGreaterThan(1450);
    const echoed = async () => lengthOf((await audioOf(customer)).heard);
    await waitUntil(async () => (await echoed()) > 750, { what: 'the echo' });
    expect(lengthOf((await audioOf(customer)).said)).toBeGreaterThan(1450);
    expect(lengthOf((await audioOf('ast')).said)).toBeGreaterThan(750);
  });

  it('a leg to a SIP address is heard as an echo within a second', async () => {
    await bridged();
    const click = writeWav([tone(400, 0.02).samples], 16_000);
    const delays: number[] = [];
    for (let attempt = 0; attempt < 8; attempt += 1) {
      await ask('POST', `/legs/${customer}/say`, click);
      // Until a while after the echo; a machine that is busy loses one.
      const quiet = async () => {
        const { said, heard } = await audioOf(customer);
        const position = heard.length / 8;
        return last(heard) > last(said) ? position > last(heard) + 200 : position > last(said) + 2000;
      };
      await waitUntil(quiet, { what: 'the end of the echo' });
      const { said, heard } = await audioOf(customer);
      const saidAt = last(said) - 25;
      if (last(heard) > saidAt) delays.push(first(heard.subarray(saidAt * 8)));
    }
    // The first attempts load code; a machine that is busy delays single ones.
    expect(Math.min(...delays)).toBeLessThan(1000);
  });

  it('a leg to a SIP address is called with the user and the headers of the command', async () => {
    await bridged();
    expect(echo.invites[0]!.user).toBe('res-1');
    expect(echo.invites[0]!.header('x-call')).toBe('call_1');
    expect(await client.api('uuid_getvar ast direction')).toBe('outbound');
    expect(test.network.legs.get('ast')!.owner.kind).toBe('sip_address');
  });

  it('a leg to a SIP address says what the customer hears as voice, whose words are recognised on the first request', async () => {
    await bridged();
    await ask('POST', `/legs/${customer}/say`, { text: 'one two' });
    await waitUntil(() => test.leg(customer).heard.some((heard) => heard.kind === 'voice' && heard.endedAt !== null), {
      what: 'the end of the voice',
    });
    expect(recognised).toEqual([]);
    const { said, heard } = await leg(customer);
    expect(said).toEqual([{ text: 'one two', started_at: expect.any(String), ended_at: expect.any(String) }]);
    expect(heard).toEqual([
      { kind: 'party', leg_id: 'ast' },
      { kind: 'voice', started_at: expect.any(String), ended_at: expect.any(String), text: expect.any(String) },
    ]);
    expect(Date.parse(heard[1].ended_at) - Date.parse(heard[1].started_at)).toBeGreaterThan(900);
    // A second of voice, and a fifth before and after it.
    expect(Number.parseFloat(heard[1].text)).toBeGreaterThan(1.2);
    expect(Number.parseFloat(heard[1].text)).toBeLessThan(3);
    await leg(customer);
    expect(recognised).toHaveLength(1);
  });

  it('a leg to a SIP address gets keys, and sends keys', async () => {
    await bridged();
    await ask('POST', `/legs/${customer}/digits`, { digits: '12' });
    await waitUntil(() => echo.keys.length === 2, { what: 'the keys' });
    await echo.calls[0]!.press('#');
    expect((await client.untilEvent('ast', 'DTMF')).headers['DTMF-Digit']).toBe('#');
    await client.api('uuid_send_dtmf ast 9');
    await waitUntil(() => echo.keys.length === 3, { what: 'the key' });
    expect(echo.keys).toEqual(['1', '2', '9']);
  });

  it('a leg to a SIP address ends when either side hangs up', async () => {
    await bridged();
    echo.calls[0]!.hangUp();
    await client.untilEvent('ast', 'CHANNEL_HANGUP_COMPLETE');
    expect(test.leg('ast').hangupCause).toBe('NORMAL_CLEARING');
    await client.untilEvent(customer, 'CHANNEL_PARK', 2);
    await client.job(`originate {origination_uuid=again}sofia/internal/sip:r@${echo.address};transport=tcp &park()`);
    await client.api('uuid_kill again');
    await waitUntil(() => echo.ends.length === 2, { what: 'the end' });
    expect(echo.ends).toEqual([{ reason: 'hung_up' }, { reason: 'other_side' }]);
  });

  it.each([
    ['refuse-403', 'CALL_REJECTED'],
    ['refuse-486', 'USER_BUSY'],
    ['refuse-488', 'INCOMPATIBLE_DESTINATION'],
    ['refuse-404', 'UNALLOCATED_NUMBER'],
    ['refuse-503', 'NORMAL_TEMPORARY_FAILURE'],
  ])('a leg to a SIP address: %s ends with %s', async (user, cause) => {
    expect(await dial(user)).toBe(`-ERR ${cause}`);
  });

  it('a leg to a SIP address fails where nobody listens, and where the address is none', async () => {
    const { address } = echo;
    await echo.stop();
    expect(await dial('res-1')).toBe('-ERR NORMAL_TEMPORARY_FAILURE');
    const to = (uri: string) => client.job(`originate {}sofia/internal/${uri} &park()`);
    expect(await to(`sip:res-1@${address}`)).toBe('-ERR NORMAL_TEMPORARY_FAILURE');
  });

  it('a leg to a SIP address ends with MEDIA_TIMEOUT when its audio stops', async () => {
    await bridged(',media_timeout=700');
    echo.kill();
    const { headers } = await client.untilEvent('ast', 'CHANNEL_HANGUP_COMPLETE');
    expect(headers['Hangup-Cause']).toBe('MEDIA_TIMEOUT');
  });

  it('a leg to a SIP address notices that the switch was killed by its silence', async () => {
    await bridged();
    await test.network.setCondition('killed');
    await waitUntil(() => echo.ends.length === 1, { what: 'the end', timeoutMs: 15_000 });
    expect(echo.ends).toEqual([{ reason: 'silent' }]);
  });

  it('a leg to a SIP address is recorded like another one', async () => {
    await bridged();
    await client.api(`uuid_setvar_multi ${customer} RECORD_STEREO=true;record_sample_rate=8000`);
    await client.api(`uuid_record ${customer} start /recordings/session.wav`);
    await ask('POST', `/legs/${customer}/say`, { text: 'one two' });
    await waitUntil(async () => last((await audioOf(customer)).heard) > last((await audioOf(customer)).said), {
      what: 'the end of the echo',
    });
    await client.api(`uuid_record ${customer} stop /recordings/session.wav`);
    const file = new SwitchFiles(test.folder).read('/recordings/session.wav')!;
    const loud = [0, 0];
    for (let at = 44; at + 4 <= file.length; at += 4) {
      for (const side of [0, 1]) if (Math.abs(file.readInt16LE(at + 2 * side)) > LOUD) loud[side]! += 1;
    }
    // Half of a second's samples, at least, are loud in a second of a tone.
    expect(Math.min(...loud)).toBeGreaterThan(4000);
  });

  it('a leg to a SIP address stays in real time when the clock is moved', async () => {
    await bridged();
    const startedAt = performance.now();
    const saying = ask('POST', `/legs/${customer}/say`, { text: 'one two' });
    await waitUntil(() => test.leg(customer).said.length === 1, { what: 'the beginning' });
    test.clock.setOffsetMs(3_600_000);
    test.network.fireDue();
    await saying;
    expect(performance.now() - startedAt).toBeGreaterThan(950);
    expect(test.leg('ast').ended).toBe(false);
  });

  it('a leg to a SIP address is heard in a conference, and by nobody while it is parked', async () => {
    await bridged();
    await client.api(`uuid_transfer ${customer} -both conference:room@parley inline`);
    await Promise.all([customer, 'ast'].map((uuid) => client.untilAction(uuid, 'add-member')));
    await ask('POST', `/legs/${customer}/say`, { text: 'one' });
    await waitUntil(async () => first((await audioOf(customer)).heard) > 0, { what: 'the echo' });
    await client.api('uuid_park ast');
    await client.untilEvent('ast', 'CHANNEL_PARK', 2);
    const before = last((await audioOf('ast')).heard);
    const startedAt = performance.now();
    await ask('POST', `/legs/${customer}/say`, { text: 'one two three four' });
    expect(performance.now() - startedAt).toBeLessThan(1500);
    expect(last((await audioOf('ast')).heard) - before).toBeLessThan(20);
  });
});

describe('speaking', () => {
  it('speaking does not have to be waited for, and one thing is said after the other', async () => {
    await bridged();
    const startedAt = performance.now();
    for (const text of ['one', 'two']) {
      const { status, body } = await ask('POST', `/legs/${customer}/say`, { text, wait: false });
      expect([status, body.leg_id]).toEqual([202, customer]);
    }
    expect(performance.now() - startedAt).toBeLessThan(400);
    await waitUntil(() => test.leg(customer).said.filter(({ endedAt }) => endedAt !== null).length === 2, {
      what: 'both',
    });
    const [one, two] = (await leg(customer)).said;
    expect([one.text, two.text]).toEqual(['one', 'two']);
    expect(Date.parse(two.started_at)).toBeGreaterThanOrEqual(Date.parse(one.ended_at));
  });

  it('speaking may be a recording, which is played as it is', async () => {
    await bridged();
    const { samples, sampleRate } = tone(440, 0.5, 22_050);
    const recording = writeWav([samples, samples], sampleRate);
    expect((await ask('POST', `/legs/${customer}/say?wait=false`, recording)).status).toBe(202);
    expect((await ask('POST', `/legs/${customer}/say`, recording)).status).toBe(200);
    const { said } = await leg(customer);
    expect(said.map(({ text }: { text: string | null }) => text)).toEqual([null, null]);
    const heard = await audioOf('ast');
    expect(heard.heard.filter((sample) => Math.abs(sample) > LOUD).length).toBeGreaterThan(7000);
  });

  it('speaking is refused for what is no recording and no words', async () => {
    expect((await ask('POST', `/legs/${customer}/say`, Buffer.from('RIFF'))).status).toBe(422);
    expect((await ask('POST', `/legs/${customer}/say`, {})).status).toBe(422);
    expect((await ask('POST', `/legs/none/say`, { text: 'x' })).status).toBe(404);
    for (const [type, body, status] of [
      ['text/plain', 'x', 415],
      ['application/json', '{', 400],
      ['audio/wav', 'x'.repeat(9 * 1024 * 1024), 413],
    ] as const) {
      const response = await fetch(url(`/legs/${customer}/say`), {
        method: 'POST',
        body,
        headers: { 'content-type': type },
      });
      expect(response.status).toBe(status);
    }
  });
});

describe('the audio of a leg', () => {
  it('the audio of a leg is there after its end, with prompts and speech that were faster than in reality', async () => {
    const emp = test.phone('emp_1');
    const job = client.job(`originate {origination_uuid=emp}${emp} &park()`);
    await client.untilEvent('emp', 'CHANNEL_PROGRESS');
    test.network.answer(test.leg('emp'));
    await job;
    await client.play(customer, 'tone_stream://%(2000,0,1000)', 'tone');
    await client.untilEvent(customer, 'PLAYBACK_STOP');
    await client.api(`uuid_bridge ${customer} emp`);
    await client.untilEvent(customer, 'CHANNEL_BRIDGE');
    await ask('POST', `/legs/${customer}/say`, { text: 'one two' });
    await ask('POST', `/legs/emp/say`, { text: 'three' });
    await ask('POST', `/legs/${customer}/hangup`);
    const { said, heard } = await audioOf(customer);
    // What was said ends within the last frames.
    expect(heard.length).toBeGreaterThan(3.4 * 8000);
    expect(last(said) - first(said)).toBeGreaterThan(950);
    const prompt = last(heard.subarray(0, Math.round(first(said) * 8)));
    expect(prompt).toBeGreaterThan(1950);
    expect(last(heard)).toBeGreaterThan(last(said) + 450);
    const other = await audioOf('emp');
    expect(last(other.said) - first(other.said)).toBeGreaterThan(450);
    expect(last(other.heard) - first(other.heard)).toBeGreaterThan(950);
  });

  it('the audio of a leg is unknown for an unknown leg, and empty before the answer', async () => {
    expect((await ask('GET', '/legs/none/audio')).status).toBe(404);
    const waiting = test.customer().id;
    expect((await audioOf(waiting)).said).toHaveLength(0);
    expect(readWav(writeWav([new Int16Array(0)], 8000))).toBeDefined();
  });
});
