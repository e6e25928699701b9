import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from '@jest/globals';
import { encodeMessage } from '@parley/events';
import { MessageAuthorType, MessageDirection, MessageStatus } from '@parley/proto/messaging_inbox/v1/messages_pb';
import { dataOf } from '../../test/support/data-of.ts';

describe('message payloads', () => {
  const message = {
    id: 'msg_1',
    companyId: 'com_1',
    createdAtMicros: 1_772_366_400_000_042n,
    businessNumberId: 'num_1',
    direction: MessageDirection.INBOUND,
    from: '+4512345678',
    to: '+4570000000',
    author: { type: MessageAuthorType.CUSTOMER },
    status: MessageStatus.RECEIVED,
    receivedAt: timestampFromDate(new Date('2026-03-01T12:00:00.007Z')),
  };
  const messageJson = {
    id: 'msg_1',
    type: 'message',
    format: 'sms',
    created_at: '2026-03-01T12:00:00.000042Z',
    business_number_id: 'num_1',
    business_number_name: null,
    seen_at: null,
    direction: 'inbound',
    from: '+4512345678',
    to: '+4570000000',
    text: 'the text of com_1/msg_1',
    author: { type: 'customer' },
    status: 'received',
    sms_count: null,
    encoding: null,
    received_at: '2026-03-01T12:00:00.007Z',
    delivered_at: null,
    failure_code: null,
    can_retry: false,
  };

  it('payloads of a received text carry the full message', async () => {
    const fact = 'messaging-inbox.message.received';
    expect(await dataOf(fact, encodeMessage(fact, { message }).data)).toEqual([
      ['message.received', { message: messageJson }],
    ]);
  });

  it('message payloads are not made while texting is off for the company', async () => {
    const fact = 'messaging-inbox.message.received';
    const off = {
      messageText: async () => undefined,
      callContent: async () => undefined,
      sessionContent: async () => undefined,
      voicemailText: async () => undefined,
    };
    expect(await dataOf(fact, encodeMessage(fact, { message }).data, off)).toEqual([['message.received', null]]);
  });

  it('payloads of a change of status carry the full message', async () => {
    const fact = 'messaging-inbox.message.status_changed';
    const failed = {
      ...message,
      direction: MessageDirection.OUTBOUND,
      businessNumberName: 'Support',
      author: { type: MessageAuthorType.EMPLOYEE, id: 'emp_1', name: 'Eva' },
      status: MessageStatus.FAILED,
      smsCount: 2,
      encoding: 'ucs2',
      failureCode: 'provider_rejected',
      canRetry: true,
    };
    expect(await dataOf(fact, encodeMessage(fact, { message: failed }).data)).toEqual([
      [
        'message.status_changed',
        {
          message: {
            ...messageJson,
            direction: 'outbound',
            business_number_name: 'Support',
            author: { type: 'employee', id: 'emp_1', name: 'Eva' },
            status: 'failed',
            sms_count: 2,
            encoding: 'ucs2',
            failure_code: 'provider_rejected',
            can_retry: true,
          },
        },
      ],
    ]);
  });
});
