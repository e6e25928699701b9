import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Employee, openPhoneCompany, type PhoneCompany } from './phone-company.ts';

let world: PhoneCompany;
let ada: Employee;
let bob: Employee;

beforeAll(async () => {
  world = await openPhoneCompany();
  [ada, bob] = [await world.hire('Ada', true), await world.hire('Bob', true)];
}, 120_000);
afterAll(() => world.sandbox('DELETE', '/clock'));

const arrive = async (number: string, from?: string) => {
  const legId = await world.dial(number, from);
  return { legId, callId: await world.callOf(legId) };
};

describe('a call during business hours', () => {
  it('hears the welcome, rings all employees, and is answered by the first', async () => {
    const number = await world.number({
      type: 'WelcomeTransferConfig',
      welcome: 'Welcome to our shop.',
      employee_ids: [ada.id, bob.id],
    });
    const call = await arrive(number);
    await Promise.all([world.rings(ada), world.rings(bob)]);
    await world.answer(bob);
    const bridged = await world.state(call.callId, 'bridged');
    expect(bridged).toMatchObject({
      direction: 'inbound',
      from: '+4520304050',
      to: number,
      main_number: number,
      employees: [{ id: bob.id, name: 'Bob' }],
      duration: null,
      recording_url: null,
    });
    expect(bridged).not.toHaveProperty('initiated_by');
    await world.quiet(ada);
    expect(await world.heard(call.legId)).toEqual(['Welcome to our shop.', 'ringtone', 'party']);
    await world.status(bob, 'on_call');
    await world.over(call);
    const ended = await world.call(call.callId);
    expect(ended.duration).toBe(Math.floor(ended.duration));
    expect(await world.events(call.callId, 'call.ended')).toEqual([
      'call.initiated',
      'call.queued',
      'call.answered',
      'call.ended',
    ]);
    await world.status(bob, 'available');
  }, 120_000);

  it('hears music while it waits, where the number is set up so', async () => {
    const number = await world.number(
      { type: 'TransferConfig', employee_ids: [ada.id] },
      { details: { wait_audio: 'music' } },
    );
    const call = await arrive(number);
    await world.hears(call.legId, 'music');
    await world.over(call);
    expect(await world.events(call.callId, 'call.lost')).toEqual([
      'call.initiated',
      'call.queued',
      'call.ended',
      'call.lost',
    ]);
  }, 120_000);

  it('is rejected with a message', async () => {
    const number = await world.number({ type: 'RejectConfig', message: 'Please write to us instead.' });
    const call = await arrive(number, 'anonymous');
    const ended = await world.state(call.callId, 'ended');
    expect(ended).toMatchObject({ from: 'anonymous', answered_at: null, duration: null, employees: [] });
    expect(await world.heard(call.legId)).toEqual(['Please write to us instead.']);
    expect(await world.events(call.callId, 'call.lost')).toEqual(['call.initiated', 'call.ended', 'call.lost']);
  }, 120_000);

  it('to a number that is unknown or inactive is turned away', async () => {
    const legId = await world.dial('+4579999999');
    await world.legState(legId, 'ended');
    expect(await world.leg(legId)).toMatchObject({ call_id: null, heard: [] });
  }, 120_000);
});

describe('a voicemail', () => {
  it('is recorded after the beep; the call is missed, not lost', async () => {
    const number = await world.number({ type: 'VoicemailConfig', greeting: 'Leave a message.' });
    const call = await arrive(number);
    await world.state(call.callId, 'recording');
    expect(await world.heard(call.legId)).toEqual(['Leave a message.', 'beep']);
    await world.sandbox('POST', `/legs/${call.legId}/say`, { text: 'Please call me back about the order.' });
    await world.press(call.legId, '#');
    await world.state(call.callId, 'ended');
    await world.events(call.callId, 'voicemail.new');
    const events = await world.events(call.callId, 'call.ended');
    expect(events.toSorted()).toEqual(['call.ended', 'call.initiated', 'voicemail.new']);
  }, 180_000);

  it('is none when the caller hangs up during the greeting', async () => {
    const number = await world.number({ type: 'VoicemailConfig', greeting: 'Leave a message. '.repeat(40) });
    const call = await arrive(number);
    await world.state(call.callId, 'playing_audio');
    await world.over(call);
    expect(await world.events(call.callId, 'call.lost')).toEqual(['call.initiated', 'call.ended', 'call.lost']);
  }, 180_000);
});

describe('a call outside business hours', () => {
  it('publishes it and uses the other slot, which does not queue', async () => {
    const number = await world.number(
      { type: 'TransferConfig', employee_ids: [ada.id] },
      { closed: { type: 'RejectConfig', message: 'We are closed.' } },
    );
    const call = await arrive(number);
    await world.state(call.callId, 'ended');
    expect(await world.heard(call.legId)).toEqual(['We are closed.']);
    expect(await world.events(call.callId, 'call.lost')).toEqual([
      'call.initiated',
      'call.outside_business_hours',
      'call.ended',
      'call.lost',
    ]);
  }, 120_000);
});

describe('a menu', () => {
  let number: string;
  beforeAll(async () => {
    number = await world.number({
      type: 'PhoneMenuConfig',
      welcome: 'Press one for Ada.',
      menu_options: [
        { digit: '1', action_type: 'TransferConfig', employee_ids: [ada.id] },
        { digit: '2', action_type: 'PlayMessageConfig', prompt: 'We live in Main Street.' },
      ],
    });
  }, 180_000);

  it('leads by key to employees', async () => {
    const call = await arrive(number);
    await world.hears(call.legId, 'Press one for Ada.');
    expect((await world.call(call.callId)).state).toBe('initiated');
    await world.press(call.legId, '1');
    await world.answer(ada);
    await world.state(call.callId, 'bridged');
    await world.over(call);
  }, 120_000);

  it('leads by key to a message, after which the call ends', async () => {
    const call = await arrive(number);
    await world.hears(call.legId, 'Press one for Ada.');
    await world.press(call.legId, '2');
    await world.state(call.callId, 'ended');
    expect(await world.heard(call.legId)).toEqual(['Press one for Ada.', 'We live in Main Street.']);
  }, 120_000);

  it('is played four times at most', async () => {
    const call = await arrive(number);
    for (let plays = 1; plays <= 4; plays++) {
      await world.hearsTimes(call.legId, 'Press one for Ada.', plays);
      await world.press(call.legId, '9');
    }
    await world.state(call.callId, 'ended');
    expect(await world.heard(call.legId)).toHaveLength(4);
  }, 120_000);
});

describe('no employee answers in time', () => {
  it('so the fallback takes over, and phones stop ringing', async () => {
    const number = await world.number(
      { type: 'TransferConfig', employee_ids: [ada.id] },
      { noAnswer: { type: 'VoicemailConfig', greeting: 'Nobody is here.', timeout_secs: 15 } },
    );
    const call = await arrive(number);
    await world.rings(ada);
    await world.advance(16);
    await world.hears(call.legId, 'Nobody is here.');
    await world.quiet(ada);
    await world.over(call);
    expect((await world.call(call.callId)).answered_at).toBeNull();
  }, 180_000);
});
