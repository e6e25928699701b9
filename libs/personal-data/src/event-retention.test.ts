import { expect, it } from '@jest/globals';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { encodeMessage, type Event, type EventMessageInit, type EventType } from '@parley/events';
import { isEventExpired, NOBODY } from './retention.ts';

const cutoff = new Date('2026-03-02T10:00:00Z');
const before = timestampFromDate(new Date('2026-03-02T09:00:00Z'));
const later = timestampFromDate(new Date('2026-03-02T11:00:00Z'));

function event<Type extends EventType>(type: Type, content: EventMessageInit<Type>, occurredAt = cutoff): Event {
  return {
    id: 'evt_1',
    companyId: 'com_1',
    aggregateId: 'x_1',
    aggregateSequence: 1,
    occurredAt,
    traceparent: undefined,
    ...encodeMessage(type, content),
  };
}

it.each([
  ['a call', event('call-control.call.ended', { call: { startedAt: before } }), { calls: cutoff }, true],
  [
    'a change of an old call',
    event('call-control.call.updated', { call: { startedAt: before } }, new Date()),
    { calls: cutoff },
    true,
  ],
  ['a newer call', event('call-control.call.ended', { call: { startedAt: later } }), { calls: cutoff }, false],
  [
    'a call that is kept forever',
    event('call-control.call.ended', { call: { startedAt: before } }),
    { messages: cutoff },
    false,
  ],
  ['the removal of a call', event('call-control.call.deleted', { callId: 'cal_1' }), { calls: cutoff }, false],
  [
    'a voicemail',
    event('call-control.voicemail.created', { voicemail: { createdAt: before } }),
    { voicemails: cutoff },
    true,
  ],
  [
    'a voicemail of an old call',
    event('call-control.voicemail.created', { voicemail: { createdAt: before }, call: { startedAt: before } }),
    { calls: cutoff },
    false,
  ],
  [
    'the removal of a voicemail',
    event('call-control.voicemail.deleted', { voicemail: { createdAt: before, from: NOBODY } }),
    { voicemails: cutoff },
    false,
  ],
  [
    'a text',
    event('messaging-inbox.message.received', { message: { createdAtMicros: 1n } }),
    { messages: cutoff },
    true,
  ],
  ['a thread', event('messaging-inbox.thread.assigned', {}), { messages: cutoff, calls: cutoff }, true],
  ['a thread whose calls are kept', event('messaging-inbox.thread.assigned', {}), { messages: cutoff }, false],
  ['a contact', event('directory.contact.created', {}), { calls: cutoff, messages: cutoff }, false],
])('retention decides whether an event is expired: %s', (_, candidate, cutoffs, expected) =>
  expect(isEventExpired(candidate, cutoffs)).toBe(expected),
);
