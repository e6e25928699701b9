import { expect, it } from '@jest/globals';
import type { Event } from '@parley/events';
import type { Db } from 'mongodb';
import { eventSteps } from './event-steps.ts';

const person = { companyId: 'com_1', phoneNumber: '+4520304050', before: new Date('2026-03-02T10:00:00Z') };
const event = (type: string, more: Partial<Event> = {}): Event => ({
  id: 'evt_1',
  type,
  companyId: 'com_1',
  aggregateId: 'x_1',
  aggregateSequence: 1,
  occurredAt: new Date('2026-03-02T09:00:00Z'),
  traceparent: undefined,
  data: Buffer.from(`\u000b${person.phoneNumber}`),
  ...more,
});

/** True when an erasure removes the event from the log. */
async function isRemoved(candidate: Event): Promise<boolean> {
  let fits: ((one: Event) => Promise<boolean>) | undefined;
  const removal = {
    isPending: async () => false,
    fromLog: async (_company: string, _after: string, predicate: (one: Event) => Promise<boolean>) => {
      fits = predicate;
      return undefined;
    },
    fromStream: async () => undefined,
  };
  const steps = eventSteps({ db: {} as Db, removal, keeps: async () => true });
  await steps.find(({ name }) => name === 'event_log')?.erase(person, '');
  return (await fits?.(candidate)) ?? false;
}

const audit = { type: 'company.updated', object: { type: 'company', id: 'com_1', name: 'A' }, changes: {} } as const;

it.each<[string, Event, boolean]>([
  ['a call', event('call-control.call.ended'), true],
  ['a contact', event('directory.contact.updated'), true],
  ['a text of another company', event('messaging-inbox.message.received', { companyId: 'com_2' }), false],
  ['a call without the number', event('call-control.call.ended', { data: Buffer.from('+4520304051') }), false],
  ['a call of later', event('call-control.call.ended', { occurredAt: new Date('2026-03-02T11:00:00Z') }), false],
  ['an employee with that phone', event('directory.employee.deleted'), false],
  ['the status of an employee', event('call-control.employee_status.changed'), false],
  ['a change in the audit log', event('directory.contact.updated', { audit }), false],
])('an erasure decides whether an event is removed: %s', async (_, candidate, expected) =>
  expect(await isRemoved(candidate)).toBe(expected),
);
