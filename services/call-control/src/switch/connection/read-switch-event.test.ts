import { describe, expect, it } from '@jest/globals';
import { decodeEvent, FrameReader } from '@parley/event-socket';
import { readTranscript } from '../../../test/read-transcript.ts';
import { readSwitchEvent } from './read-switch-event.ts';

/** Our interpretation of a recorded conversation of a real switch. */
const meaning = (transcript: string) => {
  const reader = new FrameReader();
  return readTranscript(transcript)
    .flatMap((bytes) => reader.push(bytes).items)
    .flatMap((frame) => decodeEvent(frame) ?? [])
    .flatMap((event) => readSwitchEvent(event) ?? []);
};
const types = (transcript: string) => meaning(transcript).map(({ type }) => type);

describe('what a real switch reported', () => {
  it('the reports of a real switch are read when a caller cancelled before the answer', () => {
    const events = meaning('b3-caller-cancels-before-answer');
    expect(events.map(({ type }) => type)).toEqual(['leg_parked', 'leg_ended']);
    expect(events[0]).toMatchObject({
      arrival: { kind: 'carrier', from: expect.stringMatching(/^\+1555/), dialled: expect.any(String) },
    });
    expect(events[1]).toMatchObject({ cause: 'ORIGINATOR_CANCEL' });
  });

  it('the reports of a real switch are read when audio was missing, and when the caller hung up in a prompt', () => {
    const finished = meaning('b2-broadcast-missing-file-hangup-in-playback').filter(
      (event) => event.type === 'playback_finished',
    );
    const outcomes = finished.map((event) => event.type === 'playback_finished' && [event.playId, event.played]);
    expect(outcomes).toContainEqual([expect.any(String), false]);
    // `pb-2` played when the caller hung up: it has not finished.
    expect(outcomes).not.toContainEqual(['pb-2', expect.any(Boolean)]);
    expect(types('b2-broadcast-missing-file-hangup-in-playback').at(-1)).toBe('leg_ended');
  });

  it('the reports of a real switch are read when a phone sent early media: progress is no answer', () => {
    expect(types('c4-early-media').find((type) => type !== 'leg_ended')).toBe('leg_answered');
  });

  it('the reports of a real switch are read when a phone registered and left', () => {
    const changes = meaning('f1-phone-registration').filter((event) => event.type === 'registration');
    expect(changes.length).toBeGreaterThan(0);
    expect(changes[0]).toMatchObject({ change: 'registered', user: expect.any(String), callId: expect.any(String) });
    expect(changes.every((event) => event.type === 'registration' && !event.address?.includes('<'))).toBe(true);
  });
});

describe('an event', () => {
  const read = (name: string, headers: Record<string, string>, body = '') =>
    readSwitchEvent({ name, headers: { 'Event-Name': name, ...headers }, body });

  it('an event of an authenticated phone has the authenticated caller, whatever the phone sends', () => {
    const headers = {
      'Unique-ID': 'u',
      'Call-Direction': 'inbound',
      'Caller-Caller-ID-Number': 'emp_forged',
      'Caller-Destination-Number': '+4520304050',
      variable_sip_from_user: 'emp_forged',
      variable_sip_authorized: 'true',
      variable_employee_id: 'emp_1',
      variable_company_id: 'com_1',
      'variable_sip_h_X-Business-Number': '+4570101010',
    };
    expect(read('CHANNEL_PARK', headers)).toMatchObject({
      arrival: { kind: 'phone', employeeId: 'emp_1', companyId: 'com_1', businessNumber: '+4570101010' },
    });
    expect(read('CHANNEL_PARK', { ...headers, variable_sip_authorized: 'false' })).toMatchObject({
      arrival: { kind: 'carrier' },
    });
    expect(read('CHANNEL_PARK', { ...headers, variable_app_call: 'cal_1' })).toMatchObject({ arrival: null });
  });

  it('an event of a leg from another switch has its ticket; on any other profile the header means nothing', () => {
    const headers = {
      'Unique-ID': 'u',
      'Call-Direction': 'inbound',
      'Caller-Destination-Number': 'trunk',
      variable_sofia_profile_name: 'switches',
      'variable_sip_h_X-Parley-Trunk': 'a.b',
    };
    expect(read('CHANNEL_PARK', headers)).toMatchObject({ arrival: { kind: 'switch', ticket: 'a.b' } });
    expect(read('CHANNEL_PARK', { ...headers, variable_sofia_profile_name: 'external' })).toMatchObject({
      arrival: { kind: 'carrier' },
    });
    expect(read('CHANNEL_PARK', { ...headers, variable_app_trunk: 'true' })).toMatchObject({ arrival: null });
    expect(read('CHANNEL_PARK', { ...headers, 'Call-Direction': 'outbound' })).toMatchObject({ arrival: null });
  });

  it('an event of a phone with a contact that is not dialled says so, also when it had another one before', () => {
    const headers = {
      'Event-Subclass': 'sofia::register',
      'from-user': 'emp_1',
      'from-host': 'parley.invalid',
      'call-id': 'c',
      status: 'Registered(UDP)',
      'network-ip': '127.0.0.1',
      'network-port': '5070',
    };
    const registered = (contact: string) => read('CUSTOM', { ...headers, contact });
    expect(registered('"" <sip:a@127.0.0.1:5070>')).toMatchObject({
      change: 'registered',
      address: 'sip:a@127.0.0.1:5070',
    });
    expect(registered('"" <sip:a,sofia/external/+1900@127.0.0.1:5070>')).toMatchObject({
      change: 'undialable',
      address: null,
    });
  });

  it('an event of a caller who withholds the number has none, though the carrier sends it', () => {
    // The headers of a real switch for `From: <sip:anonymous@…>` with `P-Asserted-Identity: <sip:+4520111222@…>` and `Privacy: id`.
    const headers = {
      'Unique-ID': 'u',
      'Call-Direction': 'inbound',
      'Caller-Caller-ID-Name': 'anonymous',
      'Caller-Caller-ID-Number': '+4520111222',
      'Caller-Destination-Number': '+4570101010',
      'Caller-Privacy-Hide-Name': 'true',
      'Caller-Privacy-Hide-Number': 'true',
      'variable_sip_P-Asserted-Identity': '+4520111222',
      variable_sip_Privacy: 'id',
    };
    expect(read('CHANNEL_PARK', headers)).toMatchObject({ arrival: { kind: 'carrier', from: null } });
    expect(read('CHANNEL_PARK', { ...headers, 'Caller-Privacy-Hide-Number': 'false' })).toMatchObject({
      arrival: { kind: 'carrier', from: '+4520111222' },
    });
  });

  it('an event of a failed originate names the leg', () => {
    expect(read('BACKGROUND_JOB', { 'Job-UUID': 'originate-leg-1' }, '-ERR USER_BUSY\n')).toEqual({
      type: 'originate_failed',
      legId: 'leg-1',
      cause: 'USER_BUSY',
    });
    expect(read('BACKGROUND_JOB', { 'Job-UUID': 'originate-leg-1' }, '+OK leg-1\n')).toBeUndefined();
  });

  it('an event of a conference has the leg and its member id', () => {
    const headers = {
      'Event-Subclass': 'conference::maintenance',
      'Unique-ID': 'u',
      'Conference-Name': 'r',
      'Member-ID': '7',
    };
    expect(read('CUSTOM', { ...headers, Action: 'add-member' })).toEqual({
      type: 'conference_joined',
      legId: 'u',
      room: 'r',
      memberId: '7',
    });
    expect(read('CUSTOM', { ...headers, Action: 'floor-change' })).toBeUndefined();
  });

  it('an event of a recording names it by its file', () => {
    const headers = { 'Unique-ID': 'u', 'Record-File-Path': '/var/x/cal_1-2.wav', variable_record_ms: '4000' };
    expect(read('RECORD_STOP', headers)).toMatchObject({ recording: 'cal_1-2', durationMs: 4000 });
  });
});

it.each(['CHANNEL_ANSWER', 'CHANNEL_PARK'])('the event %s tells whether the leg would replace another one', (name) => {
  const headers = { 'Unique-ID': 'leg', 'Call-Direction': 'inbound', variable_sip_replaces_call_id: 'other' };
  expect(readSwitchEvent({ name, headers, body: '' })).toMatchObject({ legId: 'leg', replaces: true });
  const { variable_sip_replaces_call_id: _, ...usual } = headers;
  expect(readSwitchEvent({ name, headers: usual, body: '' })).not.toHaveProperty('replaces');
});
