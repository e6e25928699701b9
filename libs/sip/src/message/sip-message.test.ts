import { describe, expect, it } from '@jest/globals';
import {
  encodeRequest,
  encodeResponse,
  header,
  parseSip,
  repeatedHeaders,
  sequenceOf,
  type SipRequest,
} from './sip-message.ts';

describe('parseSip', () => {
  it('parseSip reads a request with its body, long and short header names alike', () => {
    const message = parseSip('INVITE sip:+45@x SIP/2.0\r\nVia: a\r\nv: b\r\ni: 1\r\nCSeq: 2 INVITE\r\n\r\nv=0\r\n');
    expect(message).toMatchObject({ method: 'INVITE', uri: 'sip:+45@x', body: 'v=0\r\n' });
    expect(message!.headers.get('via')).toEqual(['a', 'b']);
    expect(header(message!, 'call-id')).toBe('1');
    expect(header(message!, 'contact')).toBe('');
  });

  it('parseSip reads a response', () => {
    expect(parseSip('SIP/2.0 486 Busy Here\r\nCall-ID: 1\r\n\r\n')).toMatchObject({ status: 486, body: '' });
  });

  it('parseSip joins a header that continues on the next line', () => {
    const message = parseSip('OPTIONS sip:x SIP/2.0\r\nSubject: one\r\n  two\r\n\tthree\r\nCSeq: 7 OPTIONS\r\n\r\n');
    expect(header(message!, 'subject')).toBe('one two three');
    expect(sequenceOf(message!)).toEqual({ number: 7, method: 'OPTIONS' });
  });

  it.each([
    `INVITE sip:x SIP/2.0\r\n${'a: b\r\n'.repeat(300)}\r\n`,
    '',
    '\r\n\r\n',
    'GET / HTTP/1.1\r\n\r\n',
    'INVITE sip:x SIP/2.0\r\nno header\r\n\r\n',
    'x'.repeat(70_000),
  ])('parseSip takes nothing else (%#)', (text) => {
    expect(parseSip(text)).toBeUndefined();
  });
});

describe('encoding', () => {
  it('the encoder writes what parseSip reads', () => {
    const text = encodeRequest('BYE', 'sip:x@y', { Via: ['a', 'b'], To: '<sip:z>', Absent: undefined }, 'ø');
    expect(text).toContain('Content-Length: 2\r\n\r\nø');
    expect(parseSip(text)).toMatchObject({ method: 'BYE', uri: 'sip:x@y', body: 'ø' });
  });

  it('the encoder lets no value begin another header', () => {
    expect(encodeResponse(200, 'OK', { To: 'a\r\nX-Evil: 1' })).not.toContain('\r\nX-Evil');
  });

  it('the encoder lets no blank of an address begin another part of the first line', () => {
    expect(encodeRequest('BYE', 'sip:x SIP/2.0\r\nX-Evil: 1', {})).toMatch(/^BYE sip:xSIP\/2.0X-Evil:1 SIP\/2.0\r\n/);
  });

  it('a response repeats what identifies its request, with our tag unless there is one', () => {
    const request = parseSip(
      'BYE sip:x SIP/2.0\r\nVia: a\r\nVia: b\r\nTo: <sip:y>\r\nCSeq: 1 BYE\r\n\r\n',
    ) as SipRequest;
    expect(repeatedHeaders(request, 'mine')).toMatchObject({ Via: ['a', 'b'], To: '<sip:y>;tag=mine', CSeq: '1 BYE' });
    const tagged = parseSip('BYE sip:x SIP/2.0\r\nTo: <sip:y>;tag=theirs\r\n\r\n') as SipRequest;
    expect(repeatedHeaders(tagged, 'mine')).toMatchObject({ To: '<sip:y>;tag=theirs' });
  });
});
