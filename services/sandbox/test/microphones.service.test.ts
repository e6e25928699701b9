import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { createApi, createApp, listenHttp, type Listening } from '@parley/http';
import { createLog } from '@parley/telemetry';
import { waitUntil } from '@parley/testkit';
import type { Sound } from '../src/audio/wav.ts';
import { BrowserMedia } from '../src/browser-phones/browser-media.ts';
import { legEndpoints } from '../src/calls/leg-endpoints.ts';
import { speechEndpoints } from '../src/calls/speech-endpoints.ts';
import { microphoneEndpoints } from '../src/microphones/microphone-endpoints.ts';
import { EventSocketClient } from './event-socket-client.ts';
import { PASSWORD, startNetwork, type TestNetwork } from './start-network.ts';

const SAMPLE_RATE = 16_000;
const LOUD = 1000;

const tone = (seconds: number): Sound => ({
  sampleRate: SAMPLE_RATE,
  samples: Int16Array.from(
    { length: seconds * SAMPLE_RATE },
    (_, at) => 12_000 * Math.sin((2 * Math.PI * 600 * at) / SAMPLE_RATE),
  ),
});
const isLoud = (samples: Int16Array) => samples.some((sample) => Math.abs(sample) > LOUD);

let test: TestNetwork;
let client: EventSocketClient;
let http: Listening;
let customer: string;
let other: string;
let browsers: BrowserMedia[] = [];

async function answered(): Promise<string> {
  const { id } = test.customer();
  await client.untilEvent(id, 'CHANNEL_PARK');
  await client.api(`uuid_setvar ${id} park_after_bridge true`);
  await client.api(`sched_del ${id}`);
  await client.api(`uuid_answer ${id}`);
  return id;
}

beforeEach(async () => {
  test = await startNetwork();
  client = await EventSocketClient.open(test.port, PASSWORD);
  const voice = { speak: async () => tone(1), recognise: async () => 'words' };
  const endpoints = [
    ...legEndpoints({ network: test.network, recognise: voice.recognise }),
    ...speechEndpoints({ network: test.network, voice }),
    ...microphoneEndpoints({ network: test.network }),
  ];
  const log = createLog({ service: 'sandbox', level: 'silent' });
  http = await listenHttp(createApp({ apis: [createApi({ prefix: '', endpoints })], log }), '127.0.0.1:0');
  [customer, other] = [await answered(), await answered()];
  await client.api(`uuid_bridge ${customer} ${other}`);
  await client.untilEvent(customer, 'CHANNEL_BRIDGE');
});
afterEach(async () => {
  for (const browser of browsers) await browser.close();
  browsers = [];
  await http.close(0);
  client.close();
  await test.stop();
});

async function ask(method: string, path: string, body?: object): Promise<{ status: number; body: any }> {
  const response = await fetch(`http://${http.address}${path}`, {
    method,
    ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
}

/** A browser with a microphone, and what it hears. */
function openBrowser(): { media: BrowserMedia; heard: Int16Array[] } {
  const heard: Int16Array[] = [];
  const media = new BrowserMedia({ frame: (samples) => heard.push(samples), digit: () => undefined });
  browsers.push(media);
  return { media, heard };
}

async function attach(leg: string) {
  const browser = openBrowser();
  const { status, body } = await ask('PUT', `/legs/${leg}/microphone`, { sdp: await browser.media.offer() });
  if (status === 200) await browser.media.accept(body.sdp);
  return { ...browser, status, body };
}

const heardOf = (leg: string, side: 'said' | 'heard') => {
  const { audio } = test.leg(leg);
  return audio.samples(side, 0, audio.positionMs);
};

it('a browser takes the place of a phone: what its microphone hears is said, and it hears the other side', async () => {
  const { media, heard, status } = await attach(customer);
  expect(status).toBe(200);
  media.play('tone', tone(1));
  await waitUntil(async () => isLoud(await heardOf(other, 'heard')), { what: 'the voice at the other side' });
  expect(isLoud(await heardOf(customer, 'said'))).toBe(true);
  await waitUntil(() => test.leg(other).heard.some((one) => one.kind === 'voice' && one.endedAt !== null), {
    what: 'the end of the voice',
  });
  const { body } = await ask('GET', `/legs/${other}`);
  expect(body.heard.at(-1)).toMatchObject({ kind: 'voice', text: 'words' });
  expect((await ask('POST', `/legs/${other}/say`, { text: 'hello' })).status).toBe(200);
  await waitUntil(() => heard.some(isLoud), { what: 'the voice in the browser' });
});

it('a browser that is detached leaves the simulated phone in its call', async () => {
  const { media } = await attach(customer);
  expect((await ask('DELETE', `/legs/${customer}/microphone`)).status).toBe(204);
  media.play('tone', tone(1));
  expect((await ask('POST', `/legs/${customer}/say`, { text: 'hello' })).status).toBe(200);
  expect(test.leg(customer).state).toBe('connected');
  expect((await attach(customer)).status).toBe(200);
  expect((await attach(customer)).status).toBe(200);
  expect((await ask('POST', `/legs/${customer}/hangup`)).status).toBe(200);
  expect(test.leg(customer).state).toBe('ended');
});

it('a browser cannot talk on a leg that has ended, on none, or without audio', async () => {
  expect((await ask('PUT', `/legs/${customer}/microphone`, { sdp: 'v=0' })).status).toBe(422);
  expect((await ask('POST', `/legs/${customer}/say`, { text: 'hello' })).status).toBe(200);
  await ask('POST', `/legs/${customer}/hangup`);
  expect(await attach(customer)).toMatchObject({ status: 409, body: { code: 'leg_ended' } });
  expect((await attach('unknown')).status).toBe(404);
  expect((await ask('DELETE', '/legs/unknown/microphone')).status).toBe(404);
});
