import { describe, expect, it } from '@jest/globals';
import { readTelnyxCallback } from './telnyx-callback.ts';

const now = new Date('2026-03-01T12:00:00Z');
const read = (event: unknown) => readTelnyxCallback(Buffer.from(JSON.stringify(event)), now);
const event = (event_type: string, payload: object) => ({
  data: { event_type, occurred_at: '2026-03-01T11:59:00.000Z', payload },
});
const received = {
  id: 'p1',
  from: { phone_number: '+4520304050' },
  to: [{ phone_number: '+4570123456', status: 'webhook_delivered' }],
  text: 'Hello',
  parts: 1,
  encoding: 'GSM-7',
  received_at: '2026-03-01T11:58:59.500+00:00',
};
const reported = (status: string, errors: unknown = []) => ({
  ...received,
  from: { phone_number: '+4570123456' },
  to: [{ phone_number: '+4520304050', status }],
  completed_at: '2026-03-01T11:59:30Z',
  errors,
});

describe('an incoming text', () => {
  it('an incoming text is read with everything that is stored', () => {
    expect(read(event('message.received', received))).toEqual({
      kind: 'text',
      text: {
        providerMessageId: 'p1',
        from: '+4520304050',
        to: '+4570123456',
        text: 'Hello',
        picture: false,
        receivedAt: new Date('2026-03-01T11:58:59.500Z'),
        smsCount: 1,
        encoding: 'gsm7',
      },
    });
  });

  it('an incoming text has a sender without characters that control how it is shown', () => {
    const from = { phone_number: 'Acme\u202e\u0000\nBank' };
    expect(read(event('message.received', { ...received, from }))).toMatchObject({ text: { from: 'Acme Bank' } });
    expect(read(event('message.received', { ...received, from: { phone_number: '\u202e' } }))).toBeUndefined();
  });

  it('an incoming text has a text whose directions end with it, without control characters other than line breaks', () => {
    const text = 'Open \u202egpj.exe\r\n\u001b[31mnow\u007f\u009b\u0000\t!';
    expect(read(event('message.received', { ...received, text }))).toMatchObject({
      text: { text: 'Open \u202egpj.exe\n[31mnow !\u202c' },
    });
    expect(read(event('message.received', { ...received, text: '\u001b\u0000' }))).toMatchObject({
      text: { text: '' },
    });
  });

  it.each([
    ['without a text', { text: null }, { text: '' }],
    ['of the type MMS', { type: 'MMS', media: [], text: '' }, { text: '', picture: true }],
    ['with a picture', { media: [{ url: 'https://example.com/a.jpg' }] }, { text: 'Hello', picture: true }],
    ['without readable media', { media: 'none' }, { picture: false }],
    ['without a time', { received_at: undefined }, { receivedAt: new Date('2026-03-01T11:59:00Z') }],
    ['in UCS-2', { encoding: 'UCS-2', parts: 2 }, { encoding: 'ucs2', smsCount: 2 }],
    ['without parts', { encoding: undefined, parts: undefined }, { encoding: null, smsCount: null }],
  ])('an incoming text %s is read as well', (_name, change, expected) => {
    expect(read(event('message.received', { ...received, ...change }))).toMatchObject({ text: expected });
  });
});

describe('a delivery report', () => {
  it.each([
    ['message.sent', 'sent', 'accepted'],
    ['message.finalized', 'delivered', 'delivered'],
    ['message.finalized', 'sending_failed', 'failed'],
    ['message.finalized', 'delivery_failed', 'failed'],
    ['message.finalized', 'delivery_unconfirmed', 'unknown'],
    ['message.finalized', 'lost at sea', 'unknown'],
  ])('a delivery report %s with %s means %s', (type, word, status) => {
    expect(read(event(type, reported(word)))).toMatchObject({
      kind: 'report',
      report: { providerId: 'p1', from: '+4570123456', to: '+4520304050', providerStatus: word, status },
    });
  });

  it.each([
    [[{ code: '40001', detail: 'a secret of the carrier' }], 'telnyx_40001'],
    [[{ code: 40002 }], 'telnyx_40002'],
    [[{ code: 'drop table' }], 'delivery_failed'],
    [[], 'delivery_failed'],
    [undefined, 'delivery_failed'],
  ])('a delivery report with errors %j has the failure code %s', (errors, failureCode) => {
    expect(read(event('message.finalized', reported('delivery_failed', errors)))).toMatchObject({
      report: { failureCode, at: new Date('2026-03-01T11:59:30Z') },
    });
  });
});

describe('anything else', () => {
  it('a callback of a kind that is not supported is ignored', () => {
    expect(read(event('message.link_clicked', {}))).toEqual({ kind: 'ignored' });
  });

  it.each([
    [null],
    [{}],
    [{ data: { event_type: 'message.received' } }],
    [event('message.received', { ...received, to: [] })],
    [event('message.received', { ...received, id: { $ne: '' } })],
    [event('message.finalized', { ...reported('delivered'), from: '+4570123456' })],
  ])('the body %j is not a callback', (given) => {
    expect(read(given)).toBeUndefined();
  });

  it('a body that is not JSON is not a callback', () => {
    expect(readTelnyxCallback(Buffer.from('{'), now)).toBeUndefined();
  });
});
