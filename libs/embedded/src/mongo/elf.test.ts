import { describe, expect, it } from '@jest/globals';
import { elfHash, elfSections } from './elf.ts';

describe('the System V hash', () => {
  // The hashes that readelf -V prints for these version names.
  it.each([
    ['GLIBC_2.2.5', 0x09691a75],
    ['GLIBC_2.7', 0x0d696917],
    ['GLIBC_2.17', 0x06969197],
    ['GLIBC_2.38', 0x069691b8],
    ['', 0],
  ])('the System V hash of %s is what the loader compares', (name, hash) => {
    expect(elfHash(name)).toBe(hash);
  });
});

describe('an ELF file', () => {
  it('an ELF file lists its sections', () => {
    const elf = Buffer.alloc(64 + 2 * 64);
    elf.writeUInt32BE(0x7f454c46, 0);
    elf[4] = 2;
    elf[5] = 1;
    elf.writeBigUInt64LE(64n, 40);
    elf.writeUInt16LE(64, 58);
    elf.writeUInt16LE(2, 60);
    elf.writeUInt32LE(11, 128 + 4);
    elf.writeBigUInt64LE(7n, 128 + 24);
    elf.writeBigUInt64LE(48n, 128 + 32);
    elf.writeUInt32LE(3, 128 + 40);
    expect(elfSections(elf)[1]).toEqual({ type: 11, offset: 7, size: 48, link: 3, info: 0 });
  });

  it.each([
    ['a text', Buffer.from('#!/bin/sh\n'.repeat(10))],
    ['nothing', Buffer.alloc(0)],
    ['a 32-bit file', Buffer.concat([Buffer.from('\x7fELF\x01\x01', 'latin1'), Buffer.alloc(64)])],
  ])('%s is not an ELF file', (_, bytes) => {
    expect(() => elfSections(bytes)).toThrow('not a 64-bit little-endian ELF file');
  });
});
