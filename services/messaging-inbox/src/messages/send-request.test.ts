import { describe, expect, it } from '@jest/globals';
import { anOutboundMessage } from '../../test/an-outbound-message.ts';
import { keyConflict } from './outbound-message.ts';
import { attemptRefusal, readClientKey, readContent, replayProblem } from './send-request.ts';

describe('an idempotency key', () => {
  it.each([
    ['', false],
    ['a', true],
    ['x'.repeat(128), true],
    ['👋'.repeat(128), true],
    ['x'.repeat(129), false],
  ])('the key %j is valid: %s', (key, ok) => {
    expect(readClientKey(key).ok).toBe(ok);
  });
});

describe('recipient and text', () => {
  it.each([
    ['+45 20 30 40 50', 'DK', '+4520304050'],
    ['20304050', 'DK', '+4520304050'],
    ['07911 123456', 'GB', '+447911123456'],
  ])('the recipient %s of a company in %s is %s', (to, country, number) => {
    expect(readContent({ to, text: 'Hello' }, country)).toEqual({ ok: true, value: { to: number, text: 'Hello' } });
  });

  it.each([
    [{ to: '', text: 'Hello' }, { to: ['is required'] }],
    [{ to: 'nobody', text: 'Hello' }, { to: ['is not a valid phone number'] }],
    [{ to: '+4520304050', text: '  ' }, { text: ['must not be blank'] }],
    [
      { to: '12', text: '' },
      { to: ['is not a valid phone number'], text: ['must not be blank'] },
    ],
    [{ to: '+4520304050', text: 'x'.repeat(10_001) }, { text: ['is too long (maximum is 10000 characters)'] }],
  ])('the recipient and the text %j are refused', (given, fields) => {
    expect(readContent(given, 'DK')).toMatchObject({ ok: false, refusal: { code: 'validation_failed', fields } });
  });

  it('recipient and text may have 10,000 characters, however many bytes they take', () => {
    expect(readContent({ to: '+4520304050', text: '👋'.repeat(10_000) }, 'DK').ok).toBe(true);
  });
});

describe('a key that was used before', () => {
  const known = anOutboundMessage();
  const request = { key: 'client:key', to: known.to, text: 'Hello', employeeId: 'emp_1' };
  it('a key that was used before is a replay for the same request', () => {
    expect(replayProblem(known, 'Hello', request)).toBeUndefined();
  });

  it.each([
    ['recipient', { to: '+4520304051' }],
    ['text', { text: 'Hello!' }],
    ['employee', { employeeId: 'emp_2' }],
    ['attempt', { key: 'client:retry' }],
  ])('a key that was used before is a conflict for another %s', (_name, change) => {
    expect(replayProblem(known, 'Hello', { ...request, ...change })).toBe(keyConflict);
  });
});

describe('the response for an attempt', () => {
  const attempt = anOutboundMessage().attempts[0]!;
  it.each([
    [{ status: 'accepted' as const }, undefined],
    [{ status: 'delivered' as const }, undefined],
    [{ status: 'failed' as const, failureCode: 'telnyx_40300' }, 'provider_rejected'],
    [{ status: 'failed' as const, failureCode: 'provider_unavailable' }, 'provider_unavailable'],
    [{ status: 'unknown' as const }, 'provider_unavailable'],
    [{ status: 'queued' as const }, 'provider_unavailable'],
  ])('the response for the attempt %j is the refusal %s', (change, code) => {
    const refusal = attemptRefusal('msg_1', { ...attempt, ...change });
    expect(refusal?.code).toBe(code);
    if (refusal) expect(refusal.extra).toEqual({ message_id: 'msg_1' });
  });
});
