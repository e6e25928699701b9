import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { anOutboundMessage, now, stateOf } from '../../test/an-outbound-message.ts';
import { applyDeliveryReport, type DeliveryReport } from './delivery-report.ts';
import type { OutboundMessage } from './message.ts';
import { retryMessage, settleSubmission } from './outbound-message.ts';

const words = {
  sent: 'accepted',
  delivered: 'delivered',
  sending_failed: 'failed',
  delivery_failed: 'failed',
  delivery_unconfirmed: 'unknown',
} as const;
type Word = keyof typeof words;

const report = (word: Word): DeliveryReport => ({
  providerId: 'p1',
  providerStatus: word,
  status: words[word],
  failureCode: words[word] === 'failed' ? 'telnyx_40001' : null,
  at: now,
});
const accept = (message: OutboundMessage, attempt = 0) =>
  stateOf(settleSubmission(message, attempt, { outcome: 'accepted', providerId: 'p1', smsCount: 1, encoding: 'gsm7' }));
const lose = (message: OutboundMessage) => stateOf(settleSubmission(message, 0, { outcome: 'unknown' }));
const reported = (message: OutboundMessage, ...given: Word[]) =>
  given.reduce((current, word) => stateOf(applyDeliveryReport(current, 0, report(word))), message);

describe('delivery reports', () => {
  it.each([
    [['sent'], 'accepted'],
    [['sent', 'delivered'], 'delivered'],
    [['delivered', 'sent'], 'delivered'],
    [['delivered', 'delivery_failed'], 'delivered'],
    [['delivery_failed', 'delivered'], 'failed'],
    [['sending_failed', 'sent'], 'failed'],
    [['delivery_unconfirmed'], 'unknown'],
    [['delivery_unconfirmed', 'sent'], 'unknown'],
    [['delivery_unconfirmed', 'delivered'], 'delivered'],
    [['delivery_unconfirmed', 'delivery_failed'], 'failed'],
    [['delivered', 'delivery_unconfirmed'], 'delivered'],
    [['sent', 'delivered', 'delivered', 'sent'], 'delivered'],
  ] as [Word[], string][])('delivery reports %j of an accepted text leave it %s', (given, status) => {
    expect(reported(accept(anOutboundMessage()), ...given).status).toBe(status);
  });

  it.each([
    ['sent', 'accepted'],
    ['delivered', 'delivered'],
    ['delivery_failed', 'failed'],
    ['delivery_unconfirmed', 'unknown'],
  ] as [Word, string][])('the report %s makes a text whose answer was lost %s, and names it', (word, status) => {
    const message = reported(lose(anOutboundMessage()), word);
    expect(message).toMatchObject({ status, attempts: [{ providerId: 'p1' }] });
    expect(message).not.toHaveProperty('unidentified');
  });

  it('delivery reports contain the time of delivery or the reason of the failure', () => {
    expect(reported(accept(anOutboundMessage()), 'delivered')).toMatchObject({ deliveredAt: now, failureCode: null });
    expect(reported(accept(anOutboundMessage()), 'sending_failed').failureCode).toBe('telnyx_40001');
  });

  it('delivery reports may be faster than the answer to the submission, which then adds its parts only', () => {
    const decision = settleSubmission(reported(anOutboundMessage(), 'delivered'), 0, {
      outcome: 'accepted',
      providerId: 'p1',
      smsCount: 3,
      encoding: 'ucs2',
    });
    expect(decision).toMatchObject({
      state: { status: 'delivered', smsCount: 3, encoding: 'ucs2' },
      events: [{ type: 'messaging-inbox.message.updated' }],
    });
  });

  it('delivery reports of an attempt that failed do not concern the retry', () => {
    const failed = reported(accept(anOutboundMessage()), 'delivery_failed');
    const retried = accept(stateOf(retryMessage(failed, { key: 'client:2', employeeId: 'emp_1' }, now)), 1);
    for (const word of Object.keys(words) as Word[]) expect(reported(retried, word).status).toBe('accepted');
  });

  it('delivery reports may come in any order and be repeated: a final status stays, and there is one event per change', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...(Object.keys(words) as Word[])), { maxLength: 12 }),
        fc.boolean(),
        (given, lost) => {
          let message = lost ? lose(anOutboundMessage()) : accept(anOutboundMessage());
          for (const word of given) {
            const decision = applyDeliveryReport(message, 0, report(word));
            const next = stateOf(decision);
            if (message.status === 'delivered' || message.status === 'failed') expect(next.status).toBe(message.status);
            expect(decision.ok && decision.events.length).toBe(next.status === message.status ? 0 : 1);
            expect(next.status).not.toBe('queued');
            message = next;
          }
          expect(stateOf(applyDeliveryReport(message, 0, report(given[0] ?? 'sent'))).attempts[0]?.reports.length).toBe(
            new Set([...given, given[0] ?? 'sent']).size,
          );
        },
      ),
    );
  });
});
