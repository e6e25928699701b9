import { describe, expect, it } from '@jest/globals';
import { addressKey } from './address-key.ts';

describe('an address', () => {
  it.each([
    ['192.0.2.9', '192.0.2.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2:ffff::1', '2001:db8:1:2::/64'],
    ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
    ['::ffff:192.0.2.9', '192.0.2.9'],
    ['not an address', 'not an address'],
    ['', ''],
  ])('the address %s is counted as %s', (address, key) => expect(addressKey(address)).toBe(key));
});
