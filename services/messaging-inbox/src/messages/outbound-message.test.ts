import { describe, expect, it } from '@jest/globals';
import { anOutboundMessage, now, stateOf } from '../../test/an-outbound-message.ts';
import { isRetryable, type OutboundMessage } from './message.ts';
import {
  createOutboundMessage,
  keyConflict,
  notRetryable,
  retryMessage,
  settleSubmission,
  type SubmitResult,
} from './outbound-message.ts';

const accepted: SubmitResult = { outcome: 'accepted', providerId: 'p1', smsCount: 2, encoding: 'ucs2' };
const rejected: SubmitResult = { outcome: 'failed', failureCode: 'telnyx_40300', providerId: null };
const unknown: SubmitResult = { outcome: 'unknown' };
const settled = (result: SubmitResult, message = anOutboundMessage()) => stateOf(settleSubmission(message, 0, result));
const eventTypes = (decision: ReturnType<typeof settleSubmission>) =>
  decision.ok ? decision.events.map(({ type }) => type) : [];
const retry = (message: OutboundMessage, key = 'client:again', employeeId = 'emp_1') =>
  retryMessage(message, { key, employeeId }, now);

describe('a text that is to be sent', () => {
  it('a text that is to be sent is stored with its first attempt and the command to submit it', () => {
    const { direction, status, failureCode, deliveredAt, attempts, keys, smsCount, unidentified, ...fields } =
      anOutboundMessage();
    const decision = createOutboundMessage(fields, 'client:a', now);
    expect(decision).toMatchObject({
      ok: true,
      state: { status: 'queued', keys: ['client:a'], attempts: [{ key: 'client:a', employeeId: 'emp_1' }] },
      events: [{ type: 'messaging-inbox.message.created' }],
      commands: [
        { kind: 'show', stored: true },
        { kind: 'submit', attempt: 0 },
      ],
    });
    expect([direction, status, failureCode, deliveredAt, smsCount, unidentified]).toEqual([
      'outbound',
      'queued',
      null,
      null,
      null,
      true,
    ]);
    expect([attempts.length, keys]).toEqual([1, ['client:key']]);
  });
});

describe('the answer of the provider', () => {
  it.each([
    [accepted, { status: 'accepted', smsCount: 2, encoding: 'ucs2', failureCode: null }],
    [rejected, { status: 'failed', smsCount: null, encoding: 'gsm7', failureCode: 'telnyx_40300' }],
    [unknown, { status: 'unknown', smsCount: null, encoding: 'gsm7', failureCode: null }],
  ] as const)('the answer %j of the provider makes the text %j', (result, expected) => {
    expect(settled(result)).toMatchObject(expected);
    expect(eventTypes(settleSubmission(anOutboundMessage(), 0, result))).toEqual([
      'messaging-inbox.message.status_changed',
    ]);
  });

  it('the answer of the provider leaves only a text without a known id, that may have been taken, to be identified by a report', () => {
    expect(settled(unknown).unidentified).toBe(true);
    expect(settled(accepted)).not.toHaveProperty('unidentified');
    expect(settled(rejected)).not.toHaveProperty('unidentified');
  });

  it.each([accepted, rejected, unknown])('the answer %j changes no status once the outcome is known', (result) => {
    for (const first of [accepted, rejected, unknown]) {
      const before = settled(first);
      expect(stateOf(settleSubmission(before, 0, result)).status).toBe(before.status);
    }
  });
});

describe('a retry', () => {
  it('a retry adds an attempt to a failed text, which shows its failure until the outcome is known', () => {
    const decision = retry(settled(rejected));
    const message = stateOf(decision);
    expect(message).toMatchObject({
      status: 'failed',
      failureCode: 'telnyx_40300',
      keys: ['client:key', 'client:again'],
    });
    expect(decision).toMatchObject({ events: [], commands: [{ kind: 'submit', attempt: 1 }] });
    expect(isRetryable(message)).toBe(false);
    expect(stateOf(settleSubmission(message, 1, accepted))).toMatchObject({ status: 'accepted', failureCode: null });
    expect(stateOf(settleSubmission(message, 1, unknown))).toMatchObject({ status: 'unknown' });
    expect(isRetryable(stateOf(settleSubmission(message, 1, rejected)))).toBe(true);
  });

  it('a retry with a repeated key changes nothing', () => {
    const message = stateOf(retry(settled(rejected)));
    expect(retry(message)).toEqual({ ok: true, state: message, events: [], commands: [], timers: {} });
  });

  it.each([
    ['the key of the first attempt', 'client:key', 'emp_1'],
    ['a key of another employee', 'client:again', 'emp_2'],
  ])('a retry with %s is refused', (_name, key, employeeId) => {
    expect(retry(stateOf(retry(settled(rejected))), key, employeeId)).toEqual({ ok: false, refusal: keyConflict });
  });

  it.each([
    ['queued', anOutboundMessage()],
    ['accepted', settled(accepted)],
    ['unknown', settled(unknown)],
    ['being retried', stateOf(retry(settled(rejected)))],
    ['by automation', settled(rejected, anOutboundMessage({ author: { type: 'automation' } }))],
  ])('a retry of a text that is %s is refused', (_name, message) => {
    expect(retry(message, 'client:other')).toEqual({ ok: false, refusal: notRetryable });
  });
});
