import { describe, expect, it } from '@jest/globals';
import {
  encodeRequest,
  encodeResponse,
  header,
  parameterOf,
  parseSip,
  requestTarget,
  uriOf,
  userOf,
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

  it.each(['', '\r\n\r\n', 'GET / HTTP/1.1\r\n\r\n', 'INVITE sip:x SIP/2.0\r\nno header\r\n\r\n', 'x'.repeat(70_000)])(
    'parseSip takes nothing else (%#)',
    (text) => {
      expect(parseSip(text)).toBeUndefined();
    },
  );
});

describe('the target of a request', () => {
  it.each([
    ['sip:abc@def.invalid;transport=ws', 'sip:abc@def.invalid;transport=ws'],
    ['sip:abc@1.2.3.4:5060;ob;line=x;fs_nat=yes;fs_path=sip%3Aabc%40127.0.0.1', 'sip:abc@1.2.3.4:5060;ob;line=x'],
    ['sip:a@[2001:db8::1]:5060', 'sip:a@[2001:db8::1]:5060'],
    ['sip:a@b.invalid;x=:_:[origination_caller_id_number=1]', 'sip:a@b.invalid'],
    ['sip:a@b.invalid;transport=[x=1]y', 'sip:a@b.invalid'],
    ['sip:a,sofia/external/1@b', undefined],
    ['sip:a@b?X-Header=1', undefined],
    ['sip:a@b\r\nX-Header: 1', undefined],
    ['tel:+4520304050', undefined],
  ])('the target of a request of %j is %j', (dialled, target) => {
    expect(requestTarget(dialled)).toBe(target);
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
});

describe('addresses', () => {
  it('the URI, its user and the parameters of a header are found', () => {
    const value = '"A ;tag=no" <sip:%2B45@host;transport=ws>;tag=x1;expires="60"';
    expect(uriOf(value)).toBe('sip:%2B45@host;transport=ws');
    expect(userOf(uriOf(value))).toBe('+45');
    expect([parameterOf(value, 'tag'), parameterOf(value, 'expires')]).toEqual(['x1', '60']);
    expect(uriOf('sip:a@b;tag=1')).toBe('sip:a@b');
    expect(userOf('sip:%ZZ@b')).toBe('%ZZ');
    expect(parameterOf('<sip:a;tag=2>', 'tag')).toBeUndefined();
  });
});
