import { beforeAll, describe, expect, it } from '@jest/globals';
import { waitUntil } from '@parley/testkit/wait-until';
import { sandbox, succeeded } from '../support/api.ts';
import { type Employee, LIMIT_MS, openPhoneCompany, type PhoneCompany } from './phone-company.ts';

let fixture: PhoneCompany;
let ada: Employee;
let bob: Employee;

beforeAll(async () => {
  fixture = await openPhoneCompany();
  [ada, bob] = [await fixture.hire('Ada', true), await fixture.hire('Bob', true)];
});

const arrive = async (number: string, from?: string) => {
  const legId = await fixture.dial(number, from);
  return { legId, callId: await fixture.callOf(legId) };
};

describe('a forwarded call', () => {
  const mobile = `+4541${String(process.pid % 1_000_000).padStart(6, '0')}`;
  const forward = { type: 'ForwardConfig', phone_number: mobile, timeout_secs: 30 };
  const ringing = (): Promise<string> =>
    waitUntil(
      async () => {
        const { body } = await fixture.sandbox('GET', `/subscribers/${encodeURIComponent(mobile)}/legs`);
        return (body as { leg_id: string; state: string }[]).find(({ state }) => state === 'ringing')?.leg_id;
      },
      { what: 'the mobile rings', timeoutMs: LIMIT_MS },
    );

  it('a forwarded call is answered by whoever presses 1 on the mobile, and goes to voicemail when the mobile hangs up', async () => {
    const greeting = 'Nobody can come to the phone.';
    const noAnswer = { type: 'VoicemailConfig', greeting, timeout_secs: 15 };
    const number = await fixture.number(forward, { noAnswer, details: { language: 'en' } });
    const call = await arrive(number);
    const legId = await ringing();
    expect((await fixture.leg(legId)).from).toBe(number);
    await fixture.sandbox('POST', `/legs/${legId}/answer`);
    await waitUntil(async () => (await fixture.heard(legId)).some((heard) => heard?.startsWith('Press 1 to accept')), {
      what: 'the mobile is asked',
      timeoutMs: LIMIT_MS,
    });
    await fixture.press(legId, '1');
    const bridged = await fixture.state(call.callId, 'bridged');
    expect(bridged).toMatchObject({ answered_at: expect.any(String), employees: [] });
    await fixture.hangUp(legId);
    await fixture.state(call.callId, 'ended');
    expect(await fixture.events(call.callId, 'call.ended')).toEqual(['call.initiated', 'call.answered', 'call.ended']);

    const missed = await arrive(number);
    await fixture.hangUp(await ringing());
    await fixture.waitUntilHeard(missed.legId, greeting);
    await fixture.over(missed);
  });
});

describe('a call during business hours', () => {
  it('a call during business hours hears the welcome, rings all employees, and is answered by the first', async () => {
    const number = await fixture.number({
      type: 'WelcomeTransferConfig',
      welcome: 'Welcome to our shop.',
      employee_ids: [ada.id, bob.id],
    });
    const call = await arrive(number);
    await Promise.all([fixture.rings(ada), fixture.rings(bob)]);
    await fixture.answer(bob);
    const bridged = await fixture.state(call.callId, 'bridged');
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
    await fixture.waitUntilIdle(ada);
    expect(await fixture.heard(call.legId)).toEqual(['Welcome to our shop.', 'ringtone', 'party']);
    await fixture.status(bob, 'on_call');
    await fixture.over(call);
    const ended = await fixture.call(call.callId);
    expect(ended.duration).toBe(Math.floor(ended.duration));
    expect(await fixture.events(call.callId, 'call.ended')).toEqual([
      'call.initiated',
      'call.queued',
      'call.answered',
      'call.ended',
    ]);
    await fixture.status(bob, 'available');
  });

  it('a call during business hours is delivered to webhooks with an address of its recording, at its end and once that is transcribed', async () => {
    const hook = `/hooks/recordings-${process.pid}`;
    const url = `${fixture.stack.sandbox_url}${hook}`;
    const events = ['call.ended', 'call.transcription_done'];
    await succeeded(fixture.company.call('POST', '/webhooks', { name: 'Recordings', url, events }));
    const eva = await fixture.hire('Eva', true);
    const call = await arrive(await fixture.number({ type: 'TransferConfig', employee_ids: [eva.id] }));
    await fixture.rings(eva);
    await fixture.answer(eva);
    await fixture.state(call.callId, 'bridged');
    await fixture.waitUntilHeard(call.legId, 'party');
    await fixture.over(call);
    const sent = (type: string) =>
      waitUntil(
        async () => {
          const { body } = await fixture.sandbox('GET', hook);
          const bodies = (
            body as { body: { event: string; data: { id: string; recording_url: string | null } } }[]
          ).map((one) => one.body);
          return bodies.find(({ event, data }) => event === type && data.id === call.callId);
        },
        { what: type, timeoutMs: LIMIT_MS },
      );
    const atEnd = (await sent('call.ended')).data.recording_url!;
    const early = await waitUntil(
      async () => {
        // Behind its end: nothing is heard that would be in the audit log.
        const response = await fetch(atEnd, { headers: { Range: 'bytes=99999999-' } });
        if (response.status !== 425) return response;
        expect(response.headers.get('retry-after')).toBe('2');
        return undefined;
      },
      { what: 'the recording', timeoutMs: LIMIT_MS },
    );
    expect([early.status, early.headers.get('content-range')]).toEqual([416, expect.stringMatching(/^bytes \*\/\d+$/)]);
    const delivered = await sent('call.transcription_done');
    const recording = await fetch(delivered.data.recording_url!);
    expect([recording.status, recording.headers.get('content-type')]).toEqual([200, 'audio/wav']);
    expect((await recording.arrayBuffer()).byteLength).toBeGreaterThanOrEqual(44);
    const part = await fetch(delivered.data.recording_url!, { headers: { Range: 'bytes=0-3' } });
    expect([part.status, await part.text()]).toEqual([206, 'RIFF']);

    // In the same second; each of them is a listening, however many parts of it are read.
    const shown = await Promise.all([1, 2].map(() => fixture.call(call.callId)));
    for (const { recording_url: address } of shown)
      for (const Range of ['bytes=0-1', 'bytes=0-', 'bytes=100-'])
        await (await fetch(address, { headers: { Range } })).arrayBuffer();
    const entries = await waitUntil(
      async () => {
        const query = `/audit_events?object_id=${call.callId}&type=recording.played`;
        const { body } = await succeeded(fixture.company.call('GET', query));
        return body.audit_events.length >= 3 && body.audit_events;
      },
      { what: 'the entries of all listenings', timeoutMs: LIMIT_MS },
    );
    const listening = {
      actor: { type: 'employee', credential: { type: 'api_key' } },
      object: { type: 'call' },
      address: '127.0.0.1',
    };
    expect(entries).toMatchObject([
      listening,
      listening,
      { actor: { type: 'system', id: 'webhooks', credential: null } },
    ]);
    expect(entries).toHaveLength(3);
  });

  it('a call during business hours hears music while it waits, where the number is set up so', async () => {
    const number = await fixture.number(
      { type: 'TransferConfig', employee_ids: [ada.id] },
      { details: { wait_audio: 'music' } },
    );
    const call = await arrive(number);
    await fixture.waitUntilHeard(call.legId, 'music');
    await fixture.over(call);
    expect(await fixture.events(call.callId, 'call.lost')).toEqual([
      'call.initiated',
      'call.queued',
      'call.ended',
      'call.lost',
    ]);
  });

  it('a call during business hours hears that it is recorded before the conversation begins', async () => {
    const gus = await fixture.hire('Gus', true);
    const number = await fixture.number({ type: 'TransferConfig', employee_ids: [gus.id] });
    const path = `/business_numbers/${fixture.numberId(number)}`;
    const text = 'This call is recorded.';
    const updated = await succeeded(fixture.company.call('PATCH', path, { recording_announcement: text }));
    expect(updated.body.recording_announcement).toBe(text);
    const call = await arrive(number);
    await fixture.answer(gus);
    await fixture.state(call.callId, 'bridged');
    await fixture.waitUntilHeard(call.legId, 'party');
    const heard = await fixture.heard(call.legId);
    expect(heard.filter((what) => what !== 'ringtone')).toEqual([text, 'party']);
    await fixture.over(call);
    const none = await succeeded(fixture.company.call('PATCH', path, { recording_announcement: null }));
    expect(none.body.recording_announcement).toBeNull();
    const blank = await fixture.company.call('PATCH', path, { recording_announcement: ' ' });
    expect([blank.status, Object.keys(blank.body.errors)]).toEqual([422, ['recording_announcement']]);
  });

  it('a call during business hours is rejected with a message', async () => {
    const number = await fixture.number({ type: 'RejectConfig', message: 'Please write to us instead.' });
    const call = await arrive(number, 'anonymous');
    const ended = await fixture.state(call.callId, 'ended');
    expect(ended).toMatchObject({ from: 'anonymous', answered_at: null, duration: null, employees: [] });
    expect(await fixture.heard(call.legId)).toEqual(['Please write to us instead.']);
    expect(await fixture.events(call.callId, 'call.lost')).toEqual(['call.initiated', 'call.ended', 'call.lost']);
  });

  it('a call during business hours to a number that is unknown or inactive is turned away', async () => {
    const legId = await fixture.dial('+4579999999');
    await fixture.legState(legId, 'ended');
    expect(await fixture.leg(legId)).toMatchObject({ call_id: null, heard: [] });
  });
});

describe('a voicemail', () => {
  it('a voicemail is recorded after the beep; the call is missed, not lost', async () => {
    const number = await fixture.number({ type: 'VoicemailConfig', greeting: 'Leave a message.' });
    const call = await arrive(number);
    await fixture.state(call.callId, 'recording');
    expect(await fixture.heard(call.legId)).toEqual(['Leave a message.', 'beep']);
    await fixture.sandbox('POST', `/legs/${call.legId}/say`, { text: 'Please call me back about the order.' });
    await fixture.press(call.legId, '#');
    await fixture.state(call.callId, 'ended');
    await fixture.events(call.callId, 'voicemail.new');
    const events = await fixture.events(call.callId, 'call.ended');
    expect(events.toSorted()).toEqual(['call.ended', 'call.initiated', 'voicemail.new']);
  });

  it('a call whose caller hangs up during the greeting leaves no voicemail', async () => {
    const number = await fixture.number({ type: 'VoicemailConfig', greeting: 'Leave a message. '.repeat(40) });
    const call = await arrive(number);
    await fixture.state(call.callId, 'playing_audio');
    await fixture.over(call);
    expect(await fixture.events(call.callId, 'call.lost')).toEqual(['call.initiated', 'call.ended', 'call.lost']);
  });
});

describe('a call outside business hours', () => {
  it('a call outside business hours publishes an event and uses the other slot, which does not queue', async () => {
    const number = await fixture.number(
      { type: 'TransferConfig', employee_ids: [ada.id] },
      { closed: { type: 'RejectConfig', message: 'We are closed.' } },
    );
    const call = await arrive(number);
    await fixture.state(call.callId, 'ended');
    expect(await fixture.heard(call.legId)).toEqual(['We are closed.']);
    expect(await fixture.events(call.callId, 'call.lost')).toEqual([
      'call.initiated',
      'call.outside_business_hours',
      'call.ended',
      'call.lost',
    ]);
  });
});

describe('a menu', () => {
  let number: string;
  beforeAll(async () => {
    number = await fixture.number({
      type: 'PhoneMenuConfig',
      welcome: 'Press one for Ada.',
      menu_options: [
        { digit: '1', action_type: 'TransferConfig', employee_ids: [ada.id] },
        { digit: '2', action_type: 'PlayMessageConfig', prompt: 'We live in Main Street.' },
      ],
    });
  });

  it('a menu leads by key to employees', async () => {
    const call = await arrive(number);
    await fixture.waitUntilHeard(call.legId, 'Press one for Ada.');
    expect((await fixture.call(call.callId)).state).toBe('initiated');
    await fixture.press(call.legId, '1');
    await fixture.answer(ada);
    await fixture.state(call.callId, 'bridged');
    await fixture.over(call);
  });

  it('a menu leads by key to a message, after which the call ends', async () => {
    const call = await arrive(number);
    await fixture.waitUntilHeard(call.legId, 'Press one for Ada.');
    await fixture.press(call.legId, '2');
    await fixture.state(call.callId, 'ended');
    expect(await fixture.heard(call.legId)).toEqual(['Press one for Ada.', 'We live in Main Street.']);
  });

  it('a menu is played four times at most', async () => {
    const call = await arrive(number);
    for (let plays = 1; plays <= 4; plays++) {
      await fixture.waitUntilHeardTimes(call.legId, 'Press one for Ada.', plays);
      // A machine that is very slow repeats the menu by itself meanwhile, so that the call may have ended.
      await sandbox(fixture.stack, 'POST', `/legs/${call.legId}/digits`, { digits: '9' });
    }
    await fixture.state(call.callId, 'ended');
    expect(await fixture.heard(call.legId)).toHaveLength(4);
  });
});
