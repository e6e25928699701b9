import { describe, expect, it } from '@jest/globals';
import { callWords, contactName, sendProblem, statusWords, voicemailWords } from './activity-texts.ts';

describe('activity in words', () => {
  const call = {
    direction: 'inbound',
    state: 'ended',
    missed: false,
    employee: null,
    duration: 65,
    assistant: null,
  } as const;
  const assistant = {
    id: 'ast_1',
    name: 'Robin',
    engine: 'embedded',
    state: 'left',
    outcome: 'message_taken',
  } as const;
  it.each([
    [call, 'Incoming call, answered, 1:05'],
    [{ ...call, employee: { id: 'e', name: 'Ada' } }, 'Incoming call, answered by Ada, 1:05'],
    [{ ...call, missed: true, duration: null }, 'Incoming call, missed'],
    [{ ...call, state: 'bridged', duration: null } as const, 'Incoming call, in progress'],
    [{ ...call, direction: 'outbound', missed: true } as const, 'Outgoing call, not answered'],
    [{ ...call, direction: 'outbound', employee: { id: 'e', name: 'Ada' } } as const, 'Outgoing call, by Ada, 1:05'],
    [{ ...call, duration: null, assistant }, 'Incoming call, Message taken'],
    [
      { ...call, assistant: { ...assistant, outcome: 'transferred' }, employee: { id: 'e', name: 'Ada' } } as const,
      'Incoming call, answered by Ada, 1:05',
    ],
    [
      { ...call, missed: true, duration: null, assistant: { ...assistant, outcome: 'abandoned' } } as const,
      'Incoming call, missed',
    ],
  ])('activity in words says %j', (item, words) => {
    const { direction, outcome } = callWords(item);
    expect(`${direction}, ${outcome}`).toBe(words);
  });

  it('activity in words does not call a call missed whose caller left a voicemail', () => {
    expect(callWords({ ...call, missed: true, duration: null }, true).outcome).toBe('left a voicemail');
  });

  it('activity in words says whether a voicemail was listened to', () => {
    expect(voicemailWords({ duration: 7, listened: false })).toBe('Voicemail, 0:07, not listened to');
    expect(voicemailWords({ duration: null, listened: true })).toBe('Voicemail');
  });

  it('activity in words says why a text failed', () => {
    expect(statusWords({ status: 'delivered', failure_code: null })).toBe('Delivered');
    expect(statusWords({ status: 'failed', failure_code: 'provider_rejected' })).toContain('did not accept');
    expect(statusWords({ status: 'failed', failure_code: 'telnyx_40008' })).toBe(
      'Failed: the carrier could not deliver it',
    );
    expect(statusWords({ status: 'failed', failure_code: 'telnyx_40300' })).toContain('wants no texts');
    expect(sendProblem('recipient_opted_out')).toContain('no more texts');
    expect(sendProblem('destination_not_allowed')).toContain('may not send texts');
    expect(sendProblem('other')).toBeUndefined();
  });

  it('activity in words names people by what is known of them', () => {
    expect(contactName(null)).toBeUndefined();
    expect(contactName({ name: ' ', company_name: 'Acme' })).toBe('Acme');
    expect(contactName({ name: 'Ane', company_name: 'Acme' })).toBe('Ane');
  });
});
