import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import { fileSealer } from './sealed-file.ts';

const [old, current] = [1, 2].map(() => randomBytes(32).toString('base64')) as [string, string];
const sealer = fileSealer(current);
const BLOCK = 64 * 1024;

const inChunks = (bytes: Buffer, size: number) =>
  Readable.from(
    Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) => bytes.subarray(n * size, (n + 1) * size)),
  );
const seal = (content: Buffer, by = sealer, chunk = 10_000) =>
  buffer(inChunks(content, chunk).pipe(by.seal('recording/a')));
async function open(sealed: Buffer, range?: { start: number; end: number }, by = sealer, context = 'recording/a') {
  const file = by.read(sealed.subarray(0, by.headerBytes), sealed.length, context)!;
  const wanted = range ?? { start: 0, end: file.sizeBytes };
  const { start, end } = file.sealedRange(wanted);
  return buffer(inChunks(sealed.subarray(start, end), 7_777).pipe(file.open(wanted)));
}

describe('a sealed file', () => {
  it.each([0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK, 3 * BLOCK + 500])(
    'a sealed file of %i bytes is read back whole',
    async (size) => {
      const content = randomBytes(size);
      const sealed = await seal(content);
      expect(sealed).toHaveLength(sealer.sealedSize(size));
      expect((await open(sealed)).equals(content)).toBe(true);
    },
  );

  it.each([
    [0, 1],
    [BLOCK - 1, BLOCK + 1],
    [BLOCK, 2 * BLOCK],
    [5, 3 * BLOCK + 499],
    [3 * BLOCK + 400, 3 * BLOCK + 500],
  ])('a sealed file is read from %i to %i without the rest', async (start, end) => {
    const content = randomBytes(3 * BLOCK + 500);
    expect((await open(await seal(content), { start, end })).equals(content.subarray(start, end))).toBe(true);
  });

  it('a sealed file does not contain its content, and differs each time', async () => {
    const content = Buffer.from('RIFF and what was said '.repeat(5000));
    const [one, other] = [await seal(content), await seal(content)];
    expect(one.includes('what was said')).toBe(false);
    expect(one.equals(other)).toBe(false);
  });

  it('a sealed file is read with an older key, and not with a missing one', async () => {
    const sealed = await seal(Buffer.from('audio'), fileSealer(old));
    expect((await open(sealed, undefined, fileSealer([current, old]))).toString()).toBe('audio');
    await expect(open(sealed)).rejects.toThrow('which is not configured');
  });

  it('a sealed file is not read when it was changed, cut off, moved or reordered', async () => {
    const sealed = await seal(randomBytes(3 * BLOCK));
    const changed = Buffer.from(sealed);
    changed[40_000]! ^= 1;
    await expect(open(changed)).rejects.toThrow('was changed');
    await expect(open(sealed.subarray(0, sealer.headerBytes + 2 * (BLOCK + 16)))).rejects.toThrow('was changed');
    await expect(open(sealed, undefined, sealer, 'recording/b')).rejects.toThrow('was changed');
    const body = sealed.subarray(sealer.headerBytes);
    const blocks = [0, 1, 2].map((n) => body.subarray(n * (BLOCK + 16), (n + 1) * (BLOCK + 16)));
    const swapped = Buffer.concat([sealed.subarray(0, sealer.headerBytes), blocks[1]!, blocks[0]!, blocks[2]!]);
    await expect(open(swapped)).rejects.toThrow('was changed');
  });

  it('a sealed file fails when its store sends less than it was asked for', async () => {
    const sealed = await seal(randomBytes(3 * BLOCK));
    const file = sealer.read(sealed.subarray(0, sealer.headerBytes), sealed.length, 'recording/a')!;
    const range = { start: 0, end: 3 * BLOCK };
    const short = sealed.subarray(sealer.headerBytes, sealer.headerBytes + BLOCK + 16);
    await expect(buffer(inChunks(short, 9000).pipe(file.open(range)))).rejects.toThrow('was cut off');
  });

  it('a sealed file is distinguished from one that is not sealed', () => {
    expect(sealer.read(Buffer.from('RIFF'.repeat(20)), 80, 'recording/a')).toBeUndefined();
    expect(sealer.read(Buffer.alloc(0), 0, 'recording/a')).toBeUndefined();
  });
});
