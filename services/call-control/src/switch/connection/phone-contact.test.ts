import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isBrowser, isPhoneDialString, readPhoneContact } from './phone-contact.ts';
import { HOSTILE_CONTACTS, SWITCH_SYNTAX } from '../../../test/read-command.ts';

const seen = { status: 'Registered(UDP)', networkIp: '192.0.2.9', networkPort: '5070' };
const read = (uri: string, change: Partial<typeof seen> = {}) =>
  readPhoneContact({ ...seen, contact: `"" <${uri}>`, ...change });
const dialString = (uri: string, change?: Partial<typeof seen>) => read(uri, change)?.dialString;

describe('a registered phone is dialled where it registered', () => {
  it.each([
    ['sip:1001@10.0.0.7:5060', {}, 'sip:1001@10.0.0.7:5060;fs_path=sip%3A1001%40192.0.2.9%3A5070'],
    [
      'sip:1001@10.0.0.7:5060;rinstance=2a7f;transport=UDP;x-secret=1',
      { status: 'Registered(UDP-NAT)' },
      'sip:1001@10.0.0.7:5060;rinstance=2a7f;fs_path=sip%3A1001%40192.0.2.9%3A5070',
    ],
    [
      'sip:1001@10.0.0.7:5060;transport=TCP;ob;fs_nat=yes;fs_path=sip%3A%2B1900%40carrier.example',
      { status: 'Registered(TCP-NAT)' },
      'sip:1001@10.0.0.7:5060;ob;fs_nat=yes;fs_path=sip%3A1001%40192.0.2.9%3A5070%3Btransport%3Dtcp',
    ],
    // The Contact of JsSIP; the switch adds how the browser is connected.
    [
      'sip:6gk0f5d1@2v8r1l5q.invalid;transport=ws;fs_nat=yes;fs_path=sip%3A6gk0f5d1%40192.0.2.9%3A5070%3Btransport%3Dwss',
      { status: 'Registered(WSS-NAT)(unknown) exp(2026-11-16 15:00:00) expsecs(125)' },
      'sip:6gk0f5d1@2v8r1l5q.invalid;transport=ws;fs_nat=yes;fs_path=sip%3A6gk0f5d1%40192.0.2.9%3A5070%3Btransport%3Dwss',
    ],
    [
      'sips:a@[2001:db8::7]:5061;gr=urn:uuid:F81d4fae-7dec-11d0-a765-00a0c91e6bf6',
      { networkIp: '2001:db8::9' },
      'sip:a@[2001:db8::7]:5061;gr=urn:uuid:F81d4fae-7dec-11d0-a765-00a0c91e6bf6;fs_path=sip%3Aa%40%5B2001%3Adb8%3A%3A9%5D%3A5070',
    ],
    // Behind the edge proxy: a browser, and a phone. The call goes to the proxy, which knows the phone by the alias.
    [
      'sip:6gk0f5d1@2v8r1l5q.invalid;transport=ws;alias=198.51.100.7~52345~5',
      {},
      'sip:6gk0f5d1@2v8r1l5q.invalid;transport=ws;alias=198.51.100.7~52345~5;fs_path=sip%3A6gk0f5d1%40192.0.2.9%3A5070',
    ],
    [
      'sip:1001@10.0.0.7:5060;transport=tcp;alias=198.51.100.7~5060~2',
      {},
      'sip:1001@10.0.0.7:5060;alias=198.51.100.7~5060~2;fs_path=sip%3A1001%40192.0.2.9%3A5070',
    ],
    ['sip:1001@10.0.0.7;alias=198.51.100.7~5060~2,x', {}, 'sip:1001@10.0.0.7;fs_path=sip%3A1001%40192.0.2.9%3A5070'],
    // A contact cannot lead a call elsewhere: not to the host that it names, and not to a path.
    ['sip:+1900@carrier.example', {}, 'sip:+1900@carrier.example;fs_path=sip%3A%2B1900%40192.0.2.9%3A5070'],
  ])('a registered phone is dialled where it registered: %s', (uri, change, target) => {
    expect(dialString(uri, change)).toBe(`sofia/internal/${target}`);
  });

  it('a registered phone is dialled where it registered, and a browser is known by how it is connected', () => {
    const browser = dialString('sip:a@b.invalid;transport=ws', { status: 'Registered(WS-NAT)' }) ?? '';
    expect(isBrowser(browser)).toBe(true);
    expect(isBrowser(dialString('sip:a@b.invalid') ?? '')).toBe(false);
  });

  it('a registered phone is dialled where it registered, whatever its display name', () => {
    const address = 'sip:a@127.0.0.1:5060';
    for (const name of ['"a <sip:b@c>" ', String.raw`"a\"<sip:b@c>" `, 'Ada ', ''])
      expect(readPhoneContact({ ...seen, contact: `${name}<${address}>` })?.address).toBe(address);
  });
});

describe('a phone is not dialled', () => {
  it.each(HOSTILE_CONTACTS)('a phone is not dialled with the contact %j', (uri) => {
    expect(read(uri)).toBeUndefined();
  });

  it('a phone is not dialled with a name that breaks lines, without brackets, or with more than the switch stores', () => {
    for (const contact of [
      '"a\r\n b" <sip:a@h>',
      'sip:a@h',
      `"${'x'.repeat(1024)}" <sip:a@h>`,
      '"a" <sip:a@h> <sip:b@h>',
    ])
      expect(readPhoneContact({ ...seen, contact })).toBeUndefined();
  });

  it('a phone is not dialled when the switch did not see where it is', () => {
    for (const change of [
      { networkIp: '' },
      { networkIp: 'fe80::1%eth0' },
      { networkPort: '0' },
      { status: 'Registered(TLS)' },
      { status: '' },
    ])
      expect(read('sip:a@h', change)).toBeUndefined();
  });
});

it('parameters that the phone wrote do not reach the dial string, unless they are known and plain', () => {
  const target = dialString(
    'sip:a@h;x=:_:[origination_caller_id_number=1]sofia/gateway/g/+1900;line=${a};ob=,b;fs_nat=no',
  );
  expect(target).toBe('sofia/internal/sip:a@h;fs_path=sip%3Aa%40192.0.2.9%3A5070');
});

it('whatever a phone writes, there is one destination on the internal profile, at the address it registered from', () => {
  const piece = fc.constantFrom(
    ...`sip: a +1900 @ h :5060 ;ob ;transport= ws tcp ;fs_path= sofia/external/ %2C & ? ø`.split(' '),
    '\u0000',
    ...SWITCH_SYNTAX,
  );
  const contact = fc.oneof(
    fc.array(piece).map((pieces) => pieces.join('')),
    fc.string(),
    fc.string({ unit: 'binary' }),
  );
  fc.assert(
    fc.property(contact, fc.constantFrom('Registered(UDP)', 'Registered(WS-NAT)'), (text, status) => {
      for (const written of [
        text,
        `"" <${text}>`,
        `"" <sip:a@h${text}>`,
        `"" <sip:${text}@h>`,
        `"${text}" <sip:a@h>`,
      ]) {
        const phone = readPhoneContact({ ...seen, status, contact: written });
        if (!phone) continue;
        expect(isPhoneDialString(phone.dialString)).toBe(true);
        expect(phone.dialString).toMatch(
          /^sofia\/internal\/sip:[^,|[\]{}<>$'"\\\s]+;fs_path=sip%3A[^;]+%40192\.0\.2\.9%3A5070[^;]*$/,
        );
        expect(phone.dialString).not.toContain(':_:');
      }
    }),
    { numRuns: 1000 },
  );
});
