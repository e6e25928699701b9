import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { waitUntil } from '@parley/testkit/wait-until';
import { type Employee, openPhoneCompany, type PhoneCompany } from '../calls/phone-company.ts';
import { browserPath } from '../identity/real-browser.ts';
import { succeeded } from '../support/api.ts';
import { type BrowserPhone, type PhoneBrowsers, startPhoneBrowsers } from './browser-phone.ts';

const inBrowser = browserPath === undefined ? describe.skip : describe;
if (browserPath === undefined) console.warn('no Chromium here: browsers as phones are not tried');

/** The first synthesis on a machine waits until its voice has been downloaded. */
const FIRST_WORD_MS = 240_000;
/** Loud enough to be speech, 0 to 1. */
const AUDIBLE = 0.02;
const SAID = 'The yellow bicycle was delivered on Tuesday morning.';
const SAID_WORDS = ['yellow', 'bicycle', 'delivered', 'tuesday', 'morning'];
const ASKED = 'Good morning. I would like to know where my parcel is, please. It should have arrived last week.';
const ASKED_WORDS = ['morning', 'know', 'parcel', 'arrived', 'week'];

let fixture: PhoneCompany;
let ada: Employee;
let number: string;
let folder: string;
let browsers: PhoneBrowsers;
let phone: BrowserPhone;

beforeAll(async () => {
  if (browserPath === undefined) return;
  fixture = await openPhoneCompany();
  ada = await fixture.hire('Ada', false);
  number = await fixture.number({ type: 'TransferConfig', employee_ids: [ada.id] }, { details: { language: 'en' } });
  folder = await mkdtemp(path.join(tmpdir(), 'parley-microphone-'));
  const microphone = path.join(folder, 'speech.wav');
  await writeFile(microphone, await spoken(SAID));
  browsers = await startPhoneBrowsers(microphone);
  phone = await browsers.open(`${fixture.stack.base_url}/signin`);
  await phone.start(await newSession());
}, FIRST_WORD_MS);
afterAll(async () => {
  await browsers?.close();
  if (folder) await rm(folder, { recursive: true, force: true });
});

const newSession = async () => {
  return (await succeeded(ada.call('POST', '/softphone_sessions'))).body;
};

async function spoken(text: string): Promise<Buffer> {
  const address = `/business_numbers/${fixture.numberId(number)}/voice_previews`;
  const preview = await waitUntil(
    async () => {
      const { status, body } = await fixture.company.call('POST', address, { kind: 'greeting', text });
      return status === 201 && body;
    },
    { what: 'speech', timeoutMs: FIRST_WORD_MS },
  );
  return Buffer.from(await (await fetch(preview.audio_url)).arrayBuffer());
}

/** The words of one speaker in a transcript. */
function wordsOf(transcription: string, who: string): Set<string> {
  const lines = transcription.split('\n').filter((line) => line.startsWith(`${who}: `));
  return new Set(
    lines
      .join(' ')
      .toLowerCase()
      .match(/[a-z]+/g),
  );
}

const isOver = ({ call }: { call: string }) => call === 'over';

inBrowser('a browser as a phone', () => {
  beforeEach(() => fixture.status(ada, 'available'));

  it('a browser as a phone learns why it may not call', async () => {
    const call = (to: string) => phone.run('call', to, fixture.numberId(number));
    await phone.until('is registered', ({ registration }) => registration === 'registered');
    await call('+19005551234');
    expect(await phone.until('is refused', isOver)).toMatchObject({
      cause: 'Rejected',
      refusal: 'destination_not_allowed',
    });
    await fixture.limits({ employee_calls_per_minute: 0 });
    await call('+4530222001');
    expect(await phone.until('is refused', ({ cause }) => cause === 'Busy')).toMatchObject({
      refusal: 'too_many_calls',
    });
    await fixture.limits({ employee_calls_per_minute: 30 });
  });

  it('a browser as a phone makes its employee available, and takes a call with audio both ways', async () => {
    const legId = await fixture.dial(number);
    const callId = await fixture.callOf(legId);
    const ringing = await phone.until('rings', ({ call }) => call === 'ringing');
    expect([ringing.caller, ringing.callId]).toEqual(['+4520304050', callId]);
    await phone.run('answer');
    await phone.until('is connected', ({ call }) => call === 'confirmed');
    await fixture.state(callId, 'bridged');
    await fixture.status(ada, 'on_call');
    await phone.run('quieten');
    await fixture.sandbox('POST', `/legs/${legId}/say`, { text: ASKED, language: 'en' });
    await phone.until('hears the customer', ({ loudest }) => loudest > AUDIBLE);
    await fixture.hangUp(legId);
    expect(await phone.until('is over', isOver)).toMatchObject({ cause: 'Terminated' });
    await fixture.state(callId, 'ended');
    const transcription = await waitUntil(async () => (await fixture.call(callId)).transcription as string | null, {
      what: 'a transcript',
      timeoutMs: FIRST_WORD_MS,
    });
    const [heard, asked] = ['Ada', '+4520304050'].map((who) => wordsOf(transcription, who));
    expect(SAID_WORDS.filter((word) => heard!.has(word)).length).toBeGreaterThanOrEqual(3);
    expect(ASKED_WORDS.filter((word) => asked!.has(word)).length).toBeGreaterThanOrEqual(3);
  }, 300_000);

  it('a browser as a phone hangs up and declines', async () => {
    const answered = await fixture.dial(number);
    await phone.until('rings', ({ call }) => call === 'ringing');
    await phone.run('answer');
    await fixture.legState(answered, 'connected');
    await phone.until('is connected', ({ call }) => call === 'confirmed');
    await phone.run('hangUp');
    await fixture.legState(answered, 'ended');
    await fixture.status(ada, 'available');
    const declined = await fixture.dial(number);
    await phone.until('rings', ({ call }) => call === 'ringing');
    await phone.run('decline');
    await fixture.waitUntilIdle(ada);
    await fixture.hangUp(declined);
  });

  it('a browser as a phone calls out with a business number, and hears the ringing tone', async () => {
    const to = '+4530123456';
    await phone.run('call', to, fixture.numberId(number));
    const remote = await waitUntil(
      async () => {
        const { body } = await fixture.sandbox('GET', `/subscribers/${encodeURIComponent(to)}/legs`);
        return body[0]?.leg_id as string | undefined;
      },
      { what: 'the other side rings' },
    );
    await phone.until('hears the ringing tone', ({ loudest }) => loudest > AUDIBLE);
    await fixture.sandbox('POST', `/legs/${remote}/answer`);
    await phone.until('is connected', ({ call }) => call === 'confirmed');
    const call = await fixture.state(await fixture.callOf(remote), 'bridged');
    expect(call).toMatchObject({ direction: 'outbound', from: number, to, initiated_by: { id: ada.id } });
    await phone.run('hangUp');
    await fixture.legState(remote, 'ended');
  });

  it('a browser as a phone rings beside another browser of the employee; the first answer wins', async () => {
    const other = await browsers.open(`${fixture.stack.base_url}/signin`);
    await other.start(await newSession());
    await other.until('is registered', ({ registration }) => registration === 'registered');
    const legId = await fixture.dial(number);
    await Promise.all([phone, other].map((one) => one.until('rings', ({ call }) => call === 'ringing')));
    await other.run('answer');
    await other.until('is connected', ({ call }) => call === 'confirmed');
    const { cause, reason } = await phone.until('is cancelled', isOver);
    expect([cause, reason]).toEqual(['Canceled', 'SIP;cause=200;text="Call completed elsewhere"']);
    await fixture.hangUp(legId);
    await other.until('is over', isOver);
    await other.page.context().close();
  });

  it('a browser as a phone is refused with a wrong password', async () => {
    const other = await browsers.open(`${fixture.stack.base_url}/signin`);
    await other.start({ ...(await newSession()), password: 'wrong' });
    const { registration } = await other.until('is refused', (state) => state.registration.startsWith('failed'));
    expect(registration).toBe('failed: Rejected');
    await other.page.context().close();
  });

  it('a browser as a phone is a phone as long as its session, which is renewed by another one', async () => {
    const bob = await fixture.hire('Bob', false);
    const session = async () => (await succeeded(bob.call('POST', '/softphone_sessions'))).body;
    const [first, second] = [await session(), await session()];
    const other = await browsers.open(`${fixture.stack.base_url}/signin`);
    await other.start(first);
    await fixture.status(bob, 'available');
    // The employee may be available before the browser knows that it is registered.
    await waitUntil(() => other.registrations === 1, { what: 'the registration' });
    await other.run('renew', second);
    await waitUntil(() => other.registrations > 1, { what: 'another registration' });
    expect((await bob.call('DELETE', `/softphone_sessions/${first.id}`)).status).toBe(204);
    expect(await fixture.phone(bob)).toMatchObject({ online: true });
    expect((await bob.call('DELETE', `/softphone_sessions/${second.id}`)).status).toBe(204);
    await waitUntil(async () => !(await fixture.phone(bob)).online, { what: 'the end of the registration' });
    await fixture.status(bob, 'logged_out');
    await other.page.context().close();
  });

  it('a browser as a phone continues a call after a reload of the page', async () => {
    const legId = await fixture.dial(number);
    const { callId } = await phone.until('rings', ({ call }) => call === 'ringing');
    await phone.run('answer');
    await fixture.state(callId, 'bridged');
    const resume = async () => {
      await phone.start(await newSession());
      await phone.until('is registered', ({ registration }) => registration === 'registered');
      expect((await ada.call('GET', '/calls/active')).body).toMatchObject({ call: { id: callId } });
      await phone.run('resume', callId);
      await phone.until('is connected', ({ call }) => call === 'confirmed');
    };
    await phone.page.reload();
    await resume();
    await waitUntil(async () => (await fixture.phone(ada)).legs.length === 1, { what: 'the leg of before has ended' });
    await phone.run('quieten');
    await fixture.sandbox('POST', `/legs/${legId}/say`, { text: 'Are you still there?', language: 'en' });
    await phone.until('hears the customer', ({ loudest }) => loudest > AUDIBLE);
    // Away for so long that the switch misses the audio.
    const address = phone.page.url();
    await phone.page.goto('about:blank');
    await fixture.legState(legId, 'on_hold');
    await phone.page.goto(address);
    await resume();
    await fixture.legState(legId, 'connected');
    expect((await fixture.call(callId)).state).toBe('bridged');
    await phone.run('hangUp');
    await fixture.legState(legId, 'ended');
    await fixture.state(callId, 'ended');
  });

  it('a browser as a phone cannot take over a call that its employee is not in', async () => {
    await phone.run('resume', `cal_${'0'.repeat(32)}`);
    expect(await phone.until('is refused', isOver)).toMatchObject({ cause: 'Rejected' });
  });

  it('a browser as a phone stops ringing when its page is closed, and its employee is logged out', async () => {
    const legId = await fixture.dial(number);
    await phone.until('rings', ({ call }) => call === 'ringing');
    await phone.page.close();
    await fixture.status(ada, 'logged_out');
    await fixture.waitUntilIdle(ada);
    await fixture.hangUp(legId);
  });
});
