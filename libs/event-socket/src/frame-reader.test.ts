import { describe, expect, it } from '@jest/globals';
import { type Frame, FrameReader } from './frame-reader.ts';
import { cuts, testFrames } from '../test/frames.ts';

const whole = Buffer.concat(testFrames.map(({ bytes }) => bytes));
const seen = (frames: readonly Frame[]) =>
  frames.map(({ headers, body }) => ({ headers: Object.fromEntries(headers), body: body.toString('latin1') }));

describe('the frame reader', () => {
  it('the frame reader gives the same frames however the network cuts the stream', () => {
    const expected = testFrames.map(({ headers, body }) => ({ headers, body: body.toString('latin1') }));
    for (const chunks of cuts(whole)) {
      const reader = new FrameReader();
      expect(seen(chunks.flatMap((chunk) => reader.push(chunk).items))).toEqual(expected);
    }
  });

  it('the frame reader counts bytes, not characters', () => {
    const { items } = new FrameReader().push(Buffer.from('Content-Type: api/response\nContent-Length: 4\n\n☎x\n\n'));
    expect(items.map(({ body }) => body.toString())).toEqual(['☎x']);
  });

  it('the frame reader skips empty lines between frames', () => {
    const { items } = new FrameReader().push(Buffer.from('\n\n\nContent-Type: auth/request\n\n\n\nA: b\n\n'));
    expect(seen(items).map(({ headers }) => headers)).toEqual([{ 'content-type': 'auth/request' }, { a: 'b' }]);
  });

  it('the frame reader does not keep frames tied to the memory of a chunk', () => {
    const chunk = Buffer.from('Content-Type: api/response\nContent-Length: 2\n\nok');
    const [frame] = new FrameReader().push(chunk).items;
    chunk.fill(0);
    expect(frame?.body.toString()).toBe('ok');
  });

  it.each([
    ['a line without a colon', 'Content-Type: api/response\nnonsense\n\n'],
    ['a line without a name', ': value\n\n'],
    ['two lengths', 'Content-Length: 1\ncontent-length: 1\n\n'],
    ['a length that is no number', 'Content-Length: 1e3\n\n'],
    ['a negative length', 'Content-Length: -1\n\n'],
    ['an empty length', 'Content-Length:\n\n'],
    ['a length of nine digits', 'Content-Length: 100000000\n\n'],
    ['a body over 16 MiB', `Content-Length: ${16 * 1024 * 1024 + 1}\n\n`],
    ['a header over 64 KiB', `A: ${'b'.repeat(64 * 1024)}\n\n`],
    ['a header over 64 KiB that has no end yet', `A: ${'b'.repeat(64 * 1024)}`],
  ])('the frame reader fails permanently on %s, after the frames before it', (_what, bad) => {
    const reader = new FrameReader();
    const result = reader.push(Buffer.from(`Content-Type: auth/request\n\n${bad}`));
    expect([result.items.length, result.error?.name]).toEqual([1, 'FramingError']);
    expect(reader.push(Buffer.from('Content-Type: auth/request\n\n'))).toEqual({ items: [], error: result.error });
  });

  it('the frame reader takes the largest body and the longest header that are allowed', () => {
    const reader = new FrameReader();
    const body = Buffer.alloc(16 * 1024 * 1024, 'x');
    const head = `A: ${'b'.repeat(64 * 1024 - 40)}\nContent-Length: ${body.length}\n\n`;
    const items = [reader.push(Buffer.from(head)), ...halves(body).map((half) => reader.push(half))].flatMap(
      (result) => result.items,
    );
    expect(items.map((frame) => frame.body.length)).toEqual([body.length]);
  });
});

const halves = (body: Buffer) => [body.subarray(0, body.length / 2), body.subarray(body.length / 2)];
