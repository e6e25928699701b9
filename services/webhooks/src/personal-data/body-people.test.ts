import { expect, it } from '@jest/globals';
import { bodyPeople } from './body-people.ts';

const sentAt = new Date('2026-03-02T10:00:00Z');

it('a body has every number and the earliest time of a body', () => {
  const call = {
    from: '+4520304050',
    to: '+4570112233',
    started_at: '2026-03-02T09:00:00.123456Z',
    text: 'call +4511111111',
  };
  const body = JSON.stringify({ event: 'call.ended', timestamp: sentAt.toISOString(), data: { call } });
  expect(bodyPeople('call.ended', body, sentAt)).toEqual({
    phoneNumbers: ['+4520304050', '+4570112233'],
    since: new Date('2026-03-02T09:00:00.123Z'),
  });
});

it('a body is as old as its event when it has no time', () => {
  expect(bodyPeople('call.ended', '{}', sentAt)).toEqual({ phoneNumbers: [], since: sentAt });
});

it('a body is as old as the change for a contact, which may have got the number then', () => {
  const contact = { phone: '+4520304050', created_at: '2025-01-01T00:00:00.000Z' };
  expect(bodyPeople('contact.updated', JSON.stringify({ contact }), sentAt).since).toEqual(sentAt);
});

it('a body has the senders that have no phone number', () => {
  const data = { from: 'Acme "Bank"', to: '+4570112233', text: '"from":"nobody"' };
  expect(bodyPeople('message.received', JSON.stringify({ data }), sentAt).phoneNumbers).toEqual([
    '+4570112233',
    'Acme "Bank"',
  ]);
});
