import { describe, expect, it } from '@jest/globals';
import { webhookBody } from '../payloads/payloads.ts';
import { bodyNamed, publicEventId } from './logged-event.ts';

const at = new Date('2026-03-01T12:00:00Z');

describe('an event of the log', () => {
  it('an event of the log has an id that follows from the event of the service and its type', () => {
    const id = publicEventId('evt_1', 'call.ended');
    expect(id).toMatch(/^evt_[0-9a-f]{32}$/);
    expect(publicEventId('evt_1', 'call.ended')).toBe(id);
    expect(publicEventId('evt_1', 'call.lost')).not.toBe(id);
    expect(publicEventId('evt_2', 'call.ended')).not.toBe(id);
  });

  it('an event of the log has another name in a body for a former one, and no other difference', () => {
    const data = { call: { event: 'call.outside_business_hours', note: '{"event":"call.outside_business_hours"' } };
    const event = 'call.outside_business_hours';
    const body = webhookBody(event, at, data);
    expect(bodyNamed(event, { body, event })).toBe(body);
    expect(bodyNamed('call.outside_opening_hours', { body, event })).toBe(
      webhookBody('call.outside_opening_hours', at, data),
    );
    expect(() => bodyNamed('x', { body: '{}', event })).toThrow('does not begin with');
  });
});
