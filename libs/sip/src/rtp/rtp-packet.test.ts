import { describe, expect, it } from '@jest/globals';
import { readRtp, timestampsBetween, writeRtp } from './rtp-packet.ts';

const packet = {
  payloadType: 101,
  marker: true,
  sequence: 65_535,
  timestamp: 4_294_967_295,
  source: 4_000_000_000,
  payload: Buffer.from([1, 2, 3]),
};

describe('an RTP packet', () => {
  it('an RTP packet is read as it was written', () => {
    expect(readRtp(writeRtp(packet))).toEqual(packet);
    const wrapped = writeRtp({ ...packet, sequence: 65_536, timestamp: 2 ** 32 + 160, source: -1 });
    expect(readRtp(wrapped)).toMatchObject({ sequence: 0, timestamp: 160, source: 0xffffffff });
  });

  it('an RTP packet is read without its contributing sources, its extension and its padding', () => {
    const plain = writeRtp({ ...packet, payload: Buffer.alloc(0) });
    plain[0] = 0x80 | 0x20 | 0x10 | 1;
    const whole = Buffer.concat([plain, Buffer.alloc(4), Buffer.from([0, 0, 0, 1, 9, 9, 9, 9, 7, 8, 0, 2])]);
    expect([...readRtp(whole)!.payload]).toEqual([7, 8]);
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['a part', Buffer.alloc(11, 0x80)],
    ['another version', Buffer.alloc(20, 0x40)],
    ['more sources than bytes', Buffer.from([0x8f, ...Array(15).fill(0)])],
    ['an extension without a length', Buffer.from([0x90, ...Array(12).fill(0)])],
    ['a longer extension than bytes', Buffer.from([0x90, ...Array(13).fill(0), 0xff, 0xff])],
    ['more padding than bytes', Buffer.from([0xa0, ...Array(11).fill(0), 9])],
  ])('an RTP packet is not %s', (_what, bytes) => {
    expect(readRtp(bytes)).toBeUndefined();
  });

  it('the distance of timestamps is right where they begin again at 0', () => {
    expect(timestampsBetween(0xffffff60, 0)).toBe(160);
    expect(timestampsBetween(160, 0)).toBe(-160);
  });
});
