import { create, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { expect, it } from '@jest/globals';
import { CallDirection } from '@parley/proto/call_control/v1/calls_pb';
import { InboxItemType, InboxThreadSchema, ThreadState } from '@parley/proto/messaging_inbox/v1/inbox_pb';
import { MessageStatus } from '@parley/proto/messaging_inbox/v1/messages_pb';
import { threadJson } from '@parley/public-json';
import fc from 'fast-check';
import { encodedJson } from './encoded-json.ts';

const text = fc.string({ unit: 'grapheme', maxLength: 200 });
const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
const defined = (fields: object) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
const time = fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true }).map(timestampFromDate);
const contact = fc
  .record({
    id: text,
    phone: text,
    phoneFormatted: text,
    name: optional(text),
    email: optional(text),
    companyName: optional(text),
    note: optional(text),
    createdAt: time,
    updatedAt: time,
  })
  .map(defined);
const latestItem = fc
  .record({
    id: text,
    type: fc.constantFrom(InboxItemType.CALL, InboxItemType.VOICEMAIL, InboxItemType.MESSAGE),
    businessNumberId: text,
    direction: fc.constantFrom(CallDirection.INBOUND, CallDirection.OUTBOUND),
    status: optional(fc.constantFrom(MessageStatus.RECEIVED, MessageStatus.UNKNOWN, MessageStatus.DELIVERED)),
    missed: optional(fc.boolean()),
    assistantOutcome: optional(fc.constantFrom('message_taken', 'resolved')),
  })
  .map(defined);
const thread = fc
  .record({
    phoneNumber: text,
    contact: optional(contact),
    lastActivityAtMicros: fc.bigInt({ min: 0n, max: 4_000_000_000_000_000n }),
    unseenCount: fc.nat(),
    businessNumberIds: fc.array(text, { maxLength: 3 }),
    replyBusinessNumberId: optional(text),
    assignee: optional(fc.record({ id: text, name: text })),
    state: fc.constantFrom(ThreadState.OPEN, ThreadState.DONE),
    preview: text,
    latestItem,
  })
  .map((fields) => create(InboxThreadSchema, defined(fields) as MessageInitShape<typeof InboxThreadSchema>));

it('the JSON of encoded threads is that of the threads, the first time and again', () => {
  const json = encodedJson(InboxThreadSchema, threadJson);
  fc.assert(
    fc.property(fc.array(thread, { maxLength: 5 }), (threads) => {
      const wanted = threads.map((one) => JSON.stringify(threadJson(one)));
      const encoded = threads.map((one) => toBinary(InboxThreadSchema, one));
      expect(encoded.map(json)).toEqual(wanted);
      expect(encoded.map((bytes) => json(Buffer.concat([bytes])))).toEqual(wanted);
    }),
  );
});
