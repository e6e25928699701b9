import { expect, it } from '@jest/globals';
import { bodyPeople } from './body-people.ts';

const sentAt = new Date('2026-03-02T10:00:00Z');

it('has every number and the earliest time of a body', () => {
  const call = {
    from: '+4520304050',
    to: '+4570112233',
    started_at: '2026-03-02T09:00:00.123456Z',
    text: 'call +4511111111',
  };
  const body = JSON.stringify({ event: 'call.ended', timestamp: sentAt.toISOString(), data: { call } });
  expect(bodyPeople(body, sentAt)).toEqual({
    phoneNumbers: ['+4520304050', '+4570112233'],
    since: new Date('2026-03-02T09:00:00.123Z'),
  });
});

it('is as old as its event when it has no time', () => {
  expect(bodyPeople('{}', sentAt)).toEqual({ phoneNumbers: [], since: sentAt });
});
