import path from 'node:path';
import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { writeWav } from '@parley/audio';
import { scratchDir } from '@parley/testkit';
import {
  DOMAIN,
  startBrowserPhones,
  type TestBrowserPhones,
} from '../../services/sandbox/test/start-browser-phones.ts';
import { browserPath } from '../identity/real-browser.ts';
import { type BrowserPhone, type PhoneBrowsers, startPhoneBrowsers } from './browser-phone.ts';

const inBrowser = browserPath === undefined ? describe.skip : describe;
if (browserPath === undefined) console.warn('no Chromium here: the audio of browsers is not tried');

/** Silence is 0; a browser takes a steady tone for noise and lowers it. */
const AUDIBLE = 0.005;
/** Without audio for so long a leg ends, unless a test says otherwise: a busy machine may need seconds for the first packet. */
const MEDIA_TIMEOUT_MS = 60_000;
let scratch: Awaited<ReturnType<typeof scratchDir>>;
let network: TestBrowserPhones;
let browsers: PhoneBrowsers;
let ada: BrowserPhone;
let bob: BrowserPhone;
let legs = 0;

// The telephone network without the services: what the switch sees of a browser.
beforeAll(async () => {
  if (browserPath === undefined) return;
  scratch = await scratchDir();
  const microphone = path.join(scratch.path, 'tone.wav');
  await writeFile(microphone, writeWav([tone(800, 2)], 48_000));
  [network, browsers] = await Promise.all([
    startBrowserPhones({ ada: 'secret of ada', bob: 'secret of bob' }),
    startPhoneBrowsers(microphone),
  ]);
  [ada, bob] = [await registered('ada'), await registered('bob')];
});
afterAll(async () => {
  await browsers?.close();
  await network?.stop();
  await scratch?.remove();
});

function tone(hertz: number, seconds: number): Int16Array {
  return Int16Array.from({ length: seconds * 48_000 }, (_, at) => 8000 * Math.sin((2 * Math.PI * hertz * at) / 48_000));
}

async function registered(user: string): Promise<BrowserPhone> {
  const phone = await browsers.open(network.pageUrl);
  await phone.start({
    id: user,
    sip_uri: `sip:${user}@${DOMAIN}`,
    username: user,
    password: `secret of ${user}`,
    websocket_url: network.url,
    ice_servers: [],
  });
  await phone.until('is registered', ({ registration }) => registration === 'registered');
  return phone;
}

/** Rings a browser, which answers. */
async function connected(phone: BrowserPhone, user: string, mediaTimeoutMs = MEDIA_TIMEOUT_MS): Promise<string> {
  const legId = `leg-${(legs += 1)}`;
  const [contact] = await network.contacts(user);
  await network.events.command(
    `bgapi originate {origination_uuid=${legId},media_timeout=${mediaTimeoutMs},park_after_bridge=true}${contact} &park()`,
  );
  await phone.until('rings', ({ call }) => call === 'ringing');
  await phone.run('answer');
  await network.events.untilEvent(legId, 'CHANNEL_PARK');
  await phone.until('is connected', ({ call, media }) => call === 'confirmed' && media === 'connected');
  return legId;
}

inBrowser('the audio of a browser', () => {
  it('the audio of a browser has the keys that are pressed', async () => {
    const leg = await connected(ada, 'ada');
    for (const digit of ['1', '#']) await ada.run('press', digit);
    const pressed = () =>
      network.events.events.filter(({ name, headers }) => name === 'DTMF' && headers['Unique-ID'] === leg);
    await network.events.until('two keys', () => pressed().length >= 2);
    expect(pressed().map(({ headers }) => headers['DTMF-Digit'])).toEqual(['1', '#']);
    await ada.run('hangUp');
    expect((await network.events.untilEvent(leg, 'CHANNEL_HANGUP')).headers).toMatchObject({
      'Hangup-Cause': 'NORMAL_CLEARING',
    });
  });

  it('the audio of a browser reaches another browser, also after a hold', async () => {
    const [leg, other] = [await connected(ada, 'ada'), await connected(bob, 'bob')];
    await network.events.api(`uuid_bridge ${leg} ${other}`);
    await Promise.all([ada, bob].map((one) => one.until('hears the other', ({ loudest }) => loudest > AUDIBLE)));
    await ada.run('hold');
    await ada.run('unhold');
    await bob.run('quieten');
    await bob.until('hears the other again', ({ loudest }) => loudest > AUDIBLE);
    await network.events.api(`uuid_kill ${leg}`);
    await network.events.api(`uuid_kill ${other}`);
    await Promise.all([ada, bob].map((one) => one.until('is over', ({ call }) => call === 'over')));
  });

  it('a browser whose page is closed ends its registration, and its leg when the audio is missing', async () => {
    const leg = await connected(ada, 'ada', 5000);
    await ada.page.close();
    await network.events.until(
      'unregister',
      ({ headers }) => headers['Event-Subclass'] === 'sofia::unregister' && headers['from-user'] === 'ada',
    );
    expect((await network.events.untilEvent(leg, 'CHANNEL_HANGUP')).headers).toMatchObject({
      'Hangup-Cause': 'MEDIA_TIMEOUT',
    });
  });
});
