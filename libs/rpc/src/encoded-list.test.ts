import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { describe, expect, it } from '@jest/globals';
import { InboxThreadSchema, ListThreadsResponseSchema } from '@parley/proto/messaging_inbox/v1/inbox_pb';
import { decodeList, encodeList } from './encoded-list.ts';

const threads = ['', 'x'.repeat(126), 'ø'.repeat(20_000)].map((preview) =>
  create(InboxThreadSchema, { phoneNumber: '+4520304050', preview }),
);
const items = threads.map((thread) => toBinary(InboxThreadSchema, thread));

describe('a list of encoded items', () => {
  it.each([undefined, 'next'])(
    'a list of encoded items is the message that it would be otherwise, with the cursor %s',
    (nextCursor) => {
      const others = nextCursor === undefined ? {} : { nextCursor };
      const whole = create(ListThreadsResponseSchema, { threads, ...others });
      expect(
        fromBinary(ListThreadsResponseSchema, encodeList(ListThreadsResponseSchema, 'threads', items, others)),
      ).toEqual(whole);
      const decoded = decodeList(ListThreadsResponseSchema, 'threads', toBinary(ListThreadsResponseSchema, whole));
      expect(decoded.items.map((item) => Buffer.from(item))).toEqual(items.map((item) => Buffer.from(item)));
      expect(decoded.others).toEqual(create(ListThreadsResponseSchema, others));
    },
  );

  it('a list of encoded items may be empty, and is refused where the field is no list of messages', () => {
    const empty = encodeList(ListThreadsResponseSchema, 'threads', [], {});
    expect(decodeList(ListThreadsResponseSchema, 'threads', empty).items).toEqual([]);
    expect(() => decodeList(ListThreadsResponseSchema, 'nextCursor', empty)).toThrow('not a list of messages');
  });
});
