import { describe, expect, it } from '@jest/globals';
import { encodeRequest, encodeResponse, isRequest } from './sip-message.ts';
import { SipStreamReader } from './sip-stream-reader.ts';

const stream = Buffer.from(
  [
    encodeRequest('INVITE', 'sip:a@b', { To: '<sip:ø@b>' }, 'v=0\r\n\r\nø'),
    encodeResponse(200, 'OK', { To: 'x' }),
    '\r\n\r\n',
    encodeRequest('BYE', 'sip:a@b', {}),
  ].join(''),
);

/** What a reader makes of the stream when it comes in chunks of a length. */
function read(bytes: Buffer, chunkLength: number) {
  const reader = new SipStreamReader();
  const seen: string[] = [];
  for (let at = 0; at < bytes.length; at += chunkLength) {
    const { messages, isPing, error } = reader.push(bytes.subarray(at, at + chunkLength));
    for (const message of messages)
      seen.push(isRequest(message) ? `${message.method} ${message.body}` : String(message.status));
    if (isPing && chunkLength > 3) seen.push('ping');
    if (error) seen.push(error.message);
  }
  return seen;
}

describe('SipStreamReader', () => {
  it('SipStreamReader finds the same messages however the network cuts the stream', () => {
    const expected = ['INVITE v=0\r\n\r\nø', '200', 'BYE '];
    for (const length of [1, 2, 3]) expect(read(stream, length)).toEqual(expected);
    for (const length of [7, 50, stream.length])
      expect(read(stream, length).filter((one) => one !== 'ping')).toEqual(expected);
  });

  it('SipStreamReader tells that the other side asks for a sign of life', () => {
    const reader = new SipStreamReader();
    expect(reader.push(Buffer.from('\r\n\r\n'))).toEqual({ messages: [], isPing: true });
    expect(reader.push(Buffer.from('\r\n'))).toEqual({ messages: [], isPing: false });
  });

  it('SipStreamReader reads a long stream of messages', () => {
    const reader = new SipStreamReader();
    let count = 0;
    for (let round = 0; round < 2000; round += 1)
      count += reader.push(stream.subarray(0, -1 - (round % 9))).messages.length;
    expect(count).toBeGreaterThan(0);
    const whole = new SipStreamReader();
    const chunk = Buffer.from(encodeRequest('OPTIONS', 'sip:a@b', { Subject: 'x'.repeat(1500) }));
    for (let round = 0; round < 100; round += 1) expect(whole.push(chunk).messages).toHaveLength(1);
  });

  it.each([
    ['a request of another protocol', 'GET / HTTP/1.1\r\nContent-Length: 0\r\n\r\n', 'not a SIP message'],
    ['no Content-Length', 'BYE sip:a SIP/2.0\r\nTo: x\r\n\r\n', 'no Content-Length'],
    ['a negative one', 'BYE sip:a SIP/2.0\r\nContent-Length: -1\r\n\r\n', 'no Content-Length'],
    ['two of them', 'BYE sip:a SIP/2.0\r\nContent-Length: 1\r\nl: 2\r\n\r\nxx', 'two Content-Lengths'],
    ['a body that is too long', 'BYE sip:a SIP/2.0\r\nContent-Length: 99999\r\n\r\n', 'the body is too long'],
    ['an endless head', `BYE sip:a SIP/2.0\r\nX: ${'x'.repeat(20_000)}`, 'the head is too long'],
    ['too many headers', `BYE sip:a SIP/2.0\r\n${'a:b\r\n'.repeat(300)}l:0\r\n\r\n`, 'not a SIP message'],
    ['bytes by chance', `${'\u0000\uffff\u0013'.repeat(9000)}`, 'the head is too long'],
  ])('SipStreamReader ends at %s', (_what, text, problem) => {
    const reader = new SipStreamReader();
    expect(reader.push(Buffer.from(text)).error?.message).toBe(problem);
    expect(reader.push(stream)).toMatchObject({ messages: [], error: { message: problem } });
  });
});
