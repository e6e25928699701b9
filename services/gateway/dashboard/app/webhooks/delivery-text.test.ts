import { describe, expect, it } from '@jest/globals';
import type { WebhookDelivery } from '../api/schema.d.ts';
import { attemptText, deliveryStatusText, refreshAfterMs } from './delivery-text.ts';

const now = Date.parse('2026-01-01T12:00:00Z');
const attempt = { at: '', status_code: 200, error: null, duration_ms: 12, response_excerpt: null };
const delivery = (part: Partial<WebhookDelivery> = {}): WebhookDelivery => ({
  id: 'whd_1',
  event: 'call.ended',
  event_id: null,
  status: 'delivered',
  created_at: '',
  next_attempt_at: null,
  attempts: [],
  ...part,
});

describe('a delivery in words', () => {
  it('a delivery in words is being sent until an attempt has failed', () => {
    const inProgress = { ...attempt, status_code: null, duration_ms: null };
    expect(deliveryStatusText(delivery({ status: 'pending', attempts: [inProgress] }))).toBe('Being sent');
    const failed = { ...attempt, status_code: 500 };
    expect(deliveryStatusText(delivery({ status: 'pending', attempts: [failed] }))).toBe('Will be tried again');
  });

  it.each([
    [attempt, 'Status 200, 12 ms'],
    [{ ...attempt, status_code: 500, error: 'the receiver answered 500', duration_ms: 1234 }, 'Status 500, 1.2 s'],
    [{ ...attempt, status_code: null, error: 'connection refused' }, 'No response: connection refused, 12 ms'],
    [{ ...attempt, status_code: null, duration_ms: null }, 'In progress'],
  ])('an attempt %j is %j', (made, text) => {
    expect(attemptText(made)).toBe(text);
  });
});

describe('deliveries', () => {
  const pages = (...deliveries: WebhookDelivery[]) => [{ deliveries }];

  it('deliveries are read again sooner while an attempt is expected', () => {
    const later = refreshAfterMs(pages(delivery()), now) as number;
    const soon = refreshAfterMs(pages(delivery(), delivery({ status: 'pending' })), now) as number;
    expect(soon).toBeLessThan(later);
    const inAnHour = delivery({ status: 'pending', next_attempt_at: '2026-01-01T13:00:00Z' });
    expect(refreshAfterMs(pages(inAnHour), now)).toBe(later);
  });

  it('deliveries are not read again automatically when many are shown', () => {
    expect(
      refreshAfterMs(
        Array.from({ length: 5 }, () => pages(delivery())[0]!),
        now,
      ),
    ).toBe(false);
  });
});
