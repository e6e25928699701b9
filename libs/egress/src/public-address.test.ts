import { describe, expect, it } from '@jest/globals';
import { publicAddresses } from './target.ts';

describe('publicAddresses', () => {
  it.each([
    '1.1.1.1',
    '8.8.8.8',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
    '169.253.255.255',
    '172.15.255.255',
    '172.32.0.0',
    '192.0.1.0',
    '192.167.255.255',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '2001:200::1',
    '2003::1',
    '2606:4700:4700::1111',
    '2a00:1450:4001:81b::200e',
    '3ffe::1',
  ])('publicAddresses lets %s pass, next to a special block or far from any', (address) => {
    expect(publicAddresses()(address)).toBe(true);
  });

  it('publicAddresses judges a NAT64 address by the IPv4 address inside it', () => {
    expect(publicAddresses()('64:ff9b::8.8.8.8')).toBe(true);
    expect(publicAddresses()('64:ff9b::10.0.0.1')).toBe(false);
  });

  it.each([
    '',
    'example.com',
    '127.1',
    '0x7f.1',
    '2130706433',
    '8.8.8',
    '8.8.8.8/32',
    '2606:4700::1%eth0',
    '[::1]',
    ' 8.8.8.8',
  ])('publicAddresses refuses %j, which is not an address', (text) => {
    expect(publicAddresses()(text)).toBe(false);
  });

  it('publicAddresses refuses public addresses of networks named as our own, also behind NAT64', () => {
    const isPublic = publicAddresses(['8.8.8.0/24', '2a05:d018::/32']);
    expect(['8.8.8.8', '64:ff9b::8.8.8.8', '2a05:d018:1::1'].map(isPublic)).toEqual([false, false, false]);
    expect(['8.8.4.4', '2a05:d019::1'].map(isPublic)).toEqual([true, true]);
  });
});
