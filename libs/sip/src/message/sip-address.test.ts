import { describe, expect, it } from '@jest/globals';
import { hostOf, parameterOf, requestTarget, uriOf, userOf } from './sip-address.ts';

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

  it.each([
    ['sip:abc@127.0.0.1:5070;transport=tcp', { host: '127.0.0.1', port: 5070 }],
    ['sip:switch.example', { host: 'switch.example', port: 5060 }],
    ['sip:a@[2001:db8::1]:5061', { host: '2001:db8::1', port: 5061 }],
    ['sip:a@host:0', undefined],
    ['sip:a@host:70000', undefined],
    ['sip:a@ho st', undefined],
    ['http://host', undefined],
  ])('the host of %j is %j', (uri, expected) => {
    expect(hostOf(uri)).toEqual(expected);
  });
});
