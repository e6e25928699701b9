import { describe, expect, it } from '@jest/globals';
import { beginningOf, payloadText, subjectText } from './event-text.ts';

describe('an event in words', () => {
  it.each([
    [{ direction: 'inbound', from: '+4520304050', to: '+4570000000' }, '+45 20 30 40 50'],
    [{ direction: 'outbound', from: '+4570000000', to: '+4520304050' }, '+45 20 30 40 50'],
    [{ direction: 'inbound', from: 'anonymous' }, 'Unknown number'],
    [{ message: { direction: 'outbound', from: '+4570000000', to: '+4520304050' } }, '+45 20 30 40 50'],
    [{ contact: { name: 'Ane', phone: '+4520304050' } }, 'Ane'],
    [{ contact: { name: null, phone: '+4520304050' } }, '+45 20 30 40 50'],
    [{ employee: { name: 'Eva' } }, 'Eva'],
    [{ main_number: { number: '+4570000000' } }, '+45 70 00 00 00'],
    [{ thread: { phone_number: '+4520304050' } }, '+45 20 30 40 50'],
    [{ audit_event: { type: 'webhook.created', object: { name: 'CRM' } } }, 'CRM'],
    [{ audit_event: { type: 'session.ended', object: { name: null } } }, 'session.ended'],
    [{ something: 'newer' }, '–'],
  ])('an event in words with %j is about %s', (data, subject) => {
    expect(subjectText({ data })).toBe(subject);
  });

  it('an event in words is what a webhook gets', () => {
    const event = { event: 'contact.created', timestamp: '2026-01-01T12:00:00.000Z', data: { contact: {} } };
    expect(JSON.parse(payloadText({ id: 'evt_1', ...event }))).toEqual(event);
  });
});

it('a list of events begins today unless another time is chosen', () => {
  const now = new Date(2026, 2, 10, 15, 30);
  const at = (name: string) => new Date(beginningOf(name, now)).getTime();
  expect(at('')).toBe(new Date(2026, 2, 10).getTime());
  expect(at('constructor')).toBe(at('today'));
  expect(at('hour')).toBe(new Date(2026, 2, 10, 14, 30).getTime());
  expect(at('week')).toBe(new Date(2026, 2, 4).getTime());
  expect(at('month')).toBe(new Date(2026, 1, 9).getTime());
});
