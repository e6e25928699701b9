import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { writeWav } from '@parley/audio';
import { waitUntil } from '@parley/testkit';
import type { Sound } from '../src/audio/wav.ts';
import { SwitchFiles } from '../src/switch/switch-files.ts';
import { EventSocketClient } from './event-socket-client.ts';
import { PASSWORD, startNetwork, type TestNetwork } from './start-network.ts';

/** call-control as far as a switch sees it. */
const requests: { method: string; url: string; headers: IncomingMessage['headers']; body: Buffer }[] = [];
let respond: (request: IncomingMessage, response: ServerResponse) => void;
let server: Server;
let url: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request;
      requests.push({ method, url: path, headers, body: Buffer.concat(chunks) });
      respond(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

let test: TestNetwork;
let client: EventSocketClient;
let customer: string;

beforeEach(async () => {
  requests.length = 0;
  respond = (_request, response) => sendPrompt(response, 'Welcome');
  test = await startNetwork({ switchHttp: { url, credentials: 'sandbox:secret' } });
  client = await EventSocketClient.open(test.port, PASSWORD);
  customer = test.customer().id;
  await client.untilEvent(customer, 'CHANNEL_PARK');
  await client.api(`uuid_answer ${customer}`);
});
afterEach(async () => {
  client.close();
  await test.stop();
});

/** A sine wave. */
function tone(hz: number, seconds: number, sampleRate = 16_000): Sound {
  const samples = Int16Array.from({ length: seconds * sampleRate }, (_, at) =>
    Math.round(12_000 * Math.sin((2 * Math.PI * hz * at) / sampleRate)),
  );
  return { samples, sampleRate };
}

function sendPrompt(response: ServerResponse, text: string, seconds = 1, headers: Record<string, string> = {}): void {
  // Long ones are silent: making a tone takes its time.
  const { samples, sampleRate } =
    seconds > 10 ? { samples: new Int16Array(seconds * 8000), sampleRate: 8000 } : tone(440, seconds);
  response.writeHead(200, {
    'Content-Type': 'audio/wav',
    'Cache-Control': 'max-age=3600',
    'X-Prompt-Text': encodeURIComponent(text),
    ...headers,
  });
  response.end(writeWav([samples], sampleRate));
}

const prompt = (name: string) => `http_cache://${url}/switch/prompts/${name}.wav`;
async function played(id: string): Promise<string | undefined> {
  const { headers } = await client.until(
    `the end of ${id}`,
    ({ name, headers: { 'Application-UUID': uuid } }) => name === 'CHANNEL_EXECUTE_COMPLETE' && uuid === id,
  );
  return headers['Application-Response'];
}
async function play(file: string, id: string): Promise<string | undefined> {
  await client.play(customer, file, id);
  return played(id);
}

describe('a prompt', () => {
  it('a prompt is fetched once with the credentials of the switch, and the phone hears its text every time', async () => {
    expect(await play(prompt('a'), 'p1')).toBe('FILE PLAYED');
    expect(await play(prompt('a'), 'p2')).toBe('FILE PLAYED');
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({
      method: 'GET',
      url: '/switch/prompts/a.wav',
      headers: { authorization: `Basic ${Buffer.from('sandbox:secret').toString('base64')}` },
    });
    expect(test.leg(customer).heard).toEqual([
      { kind: 'speech', text: 'Welcome' },
      { kind: 'speech', text: 'Welcome' },
    ]);
  });

  it('a prompt takes its length, faster than in reality, or until the clock has moved that far', async () => {
    respond = (_request, response) => sendPrompt(response, 'Grüße, 100 %', 600);
    await client.play(customer, prompt('long'), 'long');
    await client.untilEvent(customer, 'PLAYBACK_START');
    test.clock.setOffsetMs(300_000);
    test.network.fireDue();
    expect(client.events.some(({ name }) => name === 'PLAYBACK_STOP')).toBe(false);
    test.clock.setOffsetMs(600_000);
    test.network.fireDue();
    expect(await played('long')).toBe('FILE PLAYED');
    expect(test.leg(customer).heard).toEqual([{ kind: 'speech', text: 'Grüße, 100 %' }]);
  });

  it.each([
    ['answered 404', () => (respond = (_request, response) => response.writeHead(404).end('no'))],
    ['answered 500', () => (respond = (_request, response) => response.writeHead(500).end())],
    ['no sound', () => (respond = (_request, response) => response.writeHead(200).end('<html>'))],
    ['aborted', () => (respond = (_request, response) => response.destroy())],
  ])('a prompt that is %s is FILE NOT FOUND without PLAYBACK events, and requested again', async (_what, break_) => {
    break_();
    expect(await play(prompt('bad'), 'b1')).toBe('FILE NOT FOUND');
    expect(await play(prompt('bad'), 'b2')).toBe('FILE NOT FOUND');
    expect(requests).toHaveLength(2);
    expect(client.events.filter(({ name }) => name.startsWith('PLAYBACK'))).toEqual([]);
    expect(test.leg(customer).heard).toEqual([]);
  });

  it('a prompt needs an address that ends in .wav', async () => {
    expect(await play(`http_cache://${url}/prompt.wav?token=a.b`, 'q')).toBe('FILE NOT FOUND');
    expect(requests).toEqual([]);
  });

  it('a prompt that several legs play at once is fetched once', async () => {
    const other = test.customer().id;
    await client.untilEvent(other, 'CHANNEL_PARK');
    await client.api(`uuid_answer ${other}`);
    await client.play(customer, prompt('shared'), 's1');
    await client.play(other, prompt('shared'), 's2');
    expect([await played('s1'), await played('s2')]).toEqual(['FILE PLAYED', 'FILE PLAYED']);
    expect(requests).toHaveLength(1);
  });

  it('a prompt holds the end of the leg back while it is being fetched', async () => {
    let release = () => {};
    respond = (_request, response) => (release = () => sendPrompt(response, 'late'));
    await client.play(customer, prompt('slow'), 'slow');
    await waitUntil(() => requests.length === 1, { what: 'the request' });
    test.network.hangUp(test.leg(customer));
    await client.untilEvent(customer, 'CHANNEL_HANGUP');
    await client.api('msleep 50');
    expect(client.events.some(({ name }) => name === 'CHANNEL_HANGUP_COMPLETE')).toBe(false);
    release();
    await client.untilEvent(customer, 'CHANNEL_HANGUP_COMPLETE');
    expect(await played('slow')).toBe('PLAYBACK ERROR');
  });

  it('a prompt may be a tone or music by the kind that call-control sends', async () => {
    respond = (_request, response) => sendPrompt(response, '', 1, { 'X-Prompt-Kind': 'music' });
    await play(prompt('music'), 'm');
    expect(test.leg(customer).heard).toEqual([{ kind: 'music' }]);
  });
});

describe('tones and music', () => {
  it('tones and music are heard as what they are, and can be stopped', async () => {
    await client.play(customer, 'tone_stream://%(1000,4000,425);loops=-1', 't');
    await client.untilEvent(customer, 'PLAYBACK_START');
    await client.api(`uuid_break ${customer}`);
    expect(await played('t')).toBe('FILE PLAYED');
    expect(await play('tone_stream://%(500,0,1000)', 'beep')).toBe('FILE PLAYED');
    await client.play(customer, 'local_stream://moh', 'm');
    await client.untilEvent(customer, 'PLAYBACK_START', 3);
    expect(test.leg(customer).heard).toEqual([{ kind: 'ringtone' }, { kind: 'beep' }, { kind: 'music' }]);
    expect(test.leg(customer).state).toBe('connected');
  });

  it('tones and music wait for each other', async () => {
    await client.play(customer, prompt('first'), 'w1');
    await client.play(customer, 'tone_stream://%(100,0,1000)', 'w2');
    await played('w2');
    expect(test.leg(customer).heard).toEqual([{ kind: 'speech', text: 'Welcome' }, { kind: 'beep' }]);
  });
});

/** The strongest of some frequencies on each channel of a WAV file. */
function loudest(file: Buffer, candidates: readonly number[]): (number | null)[] {
  const [channels, rate] = [file.readUInt16LE(22), file.readUInt32LE(24)];
  const frames = (file.length - 44) / (2 * channels);
  return Array.from({ length: channels }, (_, channel) => {
    const powers = candidates.map((hz) => {
      let [re, im] = [0, 0];
      for (let frame = 0; frame < frames; frame += 1) {
        const sample = file.readInt16LE(44 + (frame * channels + channel) * 2);
        re += sample * Math.cos((2 * Math.PI * hz * frame) / rate);
        im += sample * Math.sin((2 * Math.PI * hz * frame) / rate);
      }
      return Math.hypot(re, im) / frames;
    });
    const best = Math.max(...powers);
    return best > 100 ? candidates[powers.indexOf(best)]! : null;
  });
}

async function bridgedPhone(): Promise<string> {
  const job = client.job(`originate {origination_uuid=emp,park_after_bridge=true}${test.phone('emp_1')} &park()`);
  await client.untilEvent('emp', 'CHANNEL_PROGRESS');
  test.network.answer(test.leg('emp'));
  await job;
  await client.untilEvent('emp', 'CHANNEL_PARK');
  await client.api(`uuid_bridge ${customer} emp`);
  await client.untilEvent(customer, 'CHANNEL_BRIDGE');
  return 'emp';
}

const say = (uuid: string, hz: number) =>
  test.network.say(test.leg(uuid), { text: null, makeSound: async () => tone(hz, 1) });
const recorded = (path: string) => new SwitchFiles(test.folder).read(path)!;

describe('a recording', () => {
  it('a recording has the leg’s own audio on the left and what it hears on the right', async () => {
    const emp = await bridgedPhone();
    await client.api(`uuid_setvar ${customer} RECORD_STEREO true`);
    await client.api(`uuid_record ${customer} start /recordings/call.wav`);
    await say(customer, 1000);
    await say(emp, 600);
    expect(await client.api(`uuid_record ${customer} stop /recordings/call.wav`)).toBe('+OK Success');
    const file = recorded('/recordings/call.wav');
    expect([file.readUInt16LE(22), file.readUInt32LE(24)]).toEqual([2, 16_000]);
    expect(loudest(file, [440, 600, 1000])).toEqual([1000, 600]);
    const { headers } = await client.untilEvent(customer, 'RECORD_STOP');
    expect(Number(headers.variable_record_ms)).toBeGreaterThanOrEqual(1900);
    expect(Number(headers.variable_record_ms)).toBeLessThan(6000);
    expect(await client.api('file_exists /recordings/call.wav')).toBe('true');
  });

  it('a recording does not grow with the clock in silence', async () => {
    await client.api(`uuid_record ${customer} start /recordings/quiet.wav`);
    test.clock.setOffsetMs(86_400_000);
    await client.api(`uuid_record ${customer} stop /recordings/quiet.wav`);
    expect(recorded('/recordings/quiet.wav').length).toBeLessThan(50_000);
  });

  it('a recording of a conference has the others on the right, but not muted ones', async () => {
    const emp = await bridgedPhone();
    await client.api(`uuid_transfer ${customer} -both conference:room@parley inline`);
    await Promise.all([customer, emp].map((uuid) => client.untilAction(uuid, 'add-member')));
    await client.api(`uuid_setvar_multi ${customer} RECORD_STEREO=true;record_sample_rate=8000`);
    await client.api(`uuid_record ${customer} start /recordings/conference.wav`);
    await say(emp, 600);
    const { headers } = await client.untilAction(emp, 'add-member');
    await client.api(`conference room mute ${headers['Member-ID']}`);
    await say(emp, 900);
    await client.api(`uuid_record ${customer} stop /recordings/conference.wav`);
    const file = recorded('/recordings/conference.wav');
    expect(file.readUInt32LE(24)).toBe(8000);
    expect(loudest(file, [600, 900])).toEqual([null, 600]);
  });

  it('a recording by the application contains the caller’s audio until it is stopped', async () => {
    await client.execute(customer, 'record', '/recordings/voicemail.wav 120 200 5', 'vm');
    await client.untilEvent(customer, 'RECORD_START');
    await say(customer, 1000);
    await client.api(`uuid_break ${customer}`);
    await played('vm');
    await client.untilEvent(customer, 'RECORD_STOP');
    const file = recorded('/recordings/voicemail.wav');
    expect(file.readUInt16LE(22)).toBe(1);
    expect(loudest(file, [600, 1000])).toEqual([1000]);
  });

  it('a recording contains all that a caller says who heard the beep', async () => {
    await client.play(customer, 'tone_stream://%(500,0,1000)', 'beep');
    await client.untilEvent(customer, 'PLAYBACK_START');
    const said = say(customer, 600);
    await played('beep');
    await client.execute(customer, 'record', '/recordings/after-beep.wav 120 200 5', 'vm');
    await said;
    await client.api(`uuid_break ${customer}`);
    await played('vm');
    const file = recorded('/recordings/after-beep.wav');
    expect(loudest(file, [600, 1000])).toEqual([600]);
    expect(file.length).toBeGreaterThan(32_000);
  });

  it('a recording contains all that an employee says who has just answered', async () => {
    const job = client.job(`originate {origination_uuid=emp,park_after_bridge=true}${test.phone('emp_1')} &park()`);
    await client.untilEvent('emp', 'CHANNEL_PROGRESS');
    test.network.answer(test.leg('emp'));
    const said = say('emp', 600);
    await job;
    await client.untilEvent('emp', 'CHANNEL_PARK');
    await client.api(`uuid_record ${customer} start /recordings/hello.wav`);
    await client.api(`uuid_bridge ${customer} emp`);
    await said;
    await client.api(`uuid_record ${customer} stop /recordings/hello.wav`);
    expect(loudest(recorded('/recordings/hello.wav'), [600, 1000])).toContain(600);
  });

  it('a recording by the application ends with silence and with its limit, by the clock', async () => {
    await client.execute(customer, 'record', '/recordings/silent.wav 120 200 5', 'silent');
    await client.untilEvent(customer, 'RECORD_START');
    const speaking = say(customer, 1000);
    test.clock.setOffsetMs(4000);
    test.network.fireDue();
    await speaking;
    test.clock.setOffsetMs(6000);
    test.network.fireDue();
    expect(client.events.some(({ name }) => name === 'RECORD_STOP')).toBe(false);
    test.clock.setOffsetMs(9500);
    test.network.fireDue();
    await played('silent');
    await client.execute(customer, 'record', '/recordings/limit.wav 10', 'limit');
    await client.untilEvent(customer, 'RECORD_START', 2);
    test.clock.setOffsetMs(20_000);
    test.network.fireDue();
    await played('limit');
  });

  it('a recording is complete before the leg is, when the caller hangs up', async () => {
    await client.execute(customer, 'record', '/recordings/hung-up.wav 120 200 5', 'vm');
    await client.untilEvent(customer, 'RECORD_START');
    await say(customer, 1000);
    test.network.hangUp(test.leg(customer));
    await client.untilEvent(customer, 'CHANNEL_HANGUP_COMPLETE');
    const names = client.events.map(({ name }) => name);
    expect(names.indexOf('RECORD_STOP')).toBeLessThan(names.indexOf('CHANNEL_HANGUP_COMPLETE'));
    expect(loudest(recorded('/recordings/hung-up.wav'), [600, 1000])).toEqual([1000]);
  });

  it('a recording of a switch that is killed stays, under a header with length 0', async () => {
    await client.api(`uuid_record ${customer} start /recordings/killed.wav`);
    await say(customer, 1000);
    await test.network.setCondition('killed');
    const file = recorded('/recordings/killed.wav');
    expect([file.readUInt32LE(4), file.readUInt32LE(40)]).toEqual([8, 0]);
    expect(file.length).toBeGreaterThan(32_000);
    await test.network.setCondition('up');
    const again = await EventSocketClient.open(test.port, PASSWORD);
    expect(await again.api('file_exists /recordings/killed.wav')).toBe('true');
    again.close();
  });

  it('a recording is deleted by a recording over it that is too short', async () => {
    await client.api(`uuid_record ${customer} start /recordings/gone.wav`);
    await client.api(`uuid_record ${customer} stop /recordings/gone.wav`);
    expect(await client.job('originate {origination_uuid=J,RECORD_MIN_SEC=3600}null/x &park()')).toBe('+OK J');
    await client.api('uuid_record J start /recordings/gone.wav');
    await client.api('uuid_record J stop /recordings/gone.wav');
    const { headers } = await client.untilEvent('J', 'RECORD_STOP');
    expect(headers['Record-Completion-Cause']).toBe('input-too-short');
    expect(await client.api('file_exists /recordings/gone.wav')).toBe('false');
    expect(test.network.legs.get('J')).toBeUndefined();
  });

  it('a recording cannot leave the folder of the switch', async () => {
    await client.api(`uuid_record ${customer} start /../../../escaped.wav`);
    await client.api(`uuid_record ${customer} stop /../../../escaped.wav`);
    expect(recorded('/escaped.wav').length).toBeGreaterThan(40);
  });
});

describe('an upload', () => {
  beforeEach(async () => {
    await client.api(`uuid_record ${customer} start /recordings/up.wav`);
    await say(customer, 1000);
    await client.api(`uuid_record ${customer} stop /recordings/up.wav`);
    respond = (_request, response) => response.writeHead(201).end();
  });

  it('an upload sends the whole file with Expect: 100-continue and the credentials of the switch, and keeps it', async () => {
    expect(await client.job(`http_put ${url}/switch/recordings/up.wav /recordings/up.wav`)).toBe('+OK 201');
    const [{ method, url: path, headers, body }] = requests as [(typeof requests)[0]];
    expect([method, path]).toEqual(['PUT', '/switch/recordings/up.wav']);
    expect(headers).toMatchObject({
      'content-type': 'audio/wav',
      expect: '100-continue',
      authorization: expect.stringContaining('Basic '),
    });
    expect(body.equals(recorded('/recordings/up.wav'))).toBe(true);
    expect(await client.api('file_exists /recordings/up.wav')).toBe('true');
  });

  it.each([404, 500, 307])('an upload that is answered %s reads as a command that does not exist', async (status) => {
    respond = (_request, response) => response.writeHead(status).end();
    expect(await client.job(`http_put ${url}/x.wav /recordings/up.wav`)).toBe('-ERR http_put Command not found!');
  });

  it('an upload fails the same way without a listener or a file', async () => {
    const failed = '-ERR http_put Command not found!';
    expect(await client.job('http_put http://127.0.0.1:9/x.wav /recordings/up.wav')).toBe(failed);
    expect(await client.job(`http_put ${url}/x.wav /recordings/missing.wav`)).toBe(failed);
    expect(await client.job(`http_put ${url}/x.wav /recordings/a b.wav`)).toBe('USAGE: {param=val}<url> <file>');
  });

  it('an upload of an empty file sends nothing and responds with +OK', async () => {
    new SwitchFiles(test.folder).write('/recordings/empty.wav', Buffer.alloc(0));
    expect(await client.job(`http_put ${url}/x.wav /recordings/empty.wav`)).toBe('+OK 0');
    expect(requests).toEqual([]);
  });
});
