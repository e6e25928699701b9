import { describe, expect, it } from '@jest/globals';
import { JitterBuffer } from './jitter-buffer.ts';

const FRAME = 160;
/** A packet whose samples have its number. */
const numbered = (number: number, length = FRAME) => new Int16Array(length).fill(1000 + number);

/** What is heard of packets 0 to `count - 1` that arrive at given times, when a frame is taken every 20 ms. */
function heard(
  count: number,
  arrivalMs: (packet: number) => readonly number[],
  timestampAt = (packet: number) => packet * FRAME,
) {
  const arrivals = Array.from({ length: count }, (_, packet) => arrivalMs(packet).map((at) => ({ at, packet })))
    .flat()
    .sort((one, other) => one.at - other.at);
  const buffer = new JitterBuffer();
  const frames: (number | null)[] = [];
  let delayMs = 0;
  for (let now = 10; now < count * 20 + 2000; now += 20) {
    while (arrivals[0] && arrivals[0].at <= now) {
      const { packet } = arrivals.shift()!;
      buffer.push(timestampAt(packet) >>> 0, numbered(packet));
    }
    const { samples, isReceived } = buffer.take();
    frames.push(isReceived ? samples[0]! - 1000 : null);
    if (isReceived) delayMs = now - (samples[0]! - 1000) * 20;
  }
  const first = frames.findIndex((frame) => frame !== null);
  const last = frames.findLastIndex((frame) => frame !== null);
  return { buffer, frames: frames.slice(first, last + 1), delayMs };
}

const numbers = (count: number) => Array.from({ length: count }, (_, at) => at);
/** Like a random number from 0 to 1, and the same in every run. */
const noise = (seed: number) => ((Math.imul(seed + 1, 2_654_435_761) >>> 8) % 1000) / 1000;

describe('JitterBuffer', () => {
  it('JitterBuffer delays a regular stream by 20 to 40 ms', () => {
    const { frames, delayMs, buffer } = heard(100, (packet) => [packet * 20]);
    expect(frames).toEqual(numbers(100));
    expect(delayMs).toBeLessThanOrEqual(40);
    expect(buffer.statistics).toEqual({ received: 100, lost: 0, late: 0, duplicated: 0, reordered: 0 });
  });

  it('JitterBuffer puts packets into their order, and takes each once', () => {
    const swapped = (packet: number) => (packet % 10 === 3 ? packet * 20 + 25 : packet * 20);
    const { frames, buffer } = heard(100, (packet) =>
      packet % 7 === 0 ? [swapped(packet), swapped(packet) + 5] : [swapped(packet)],
    );
    expect(frames).toEqual(numbers(100));
    expect(buffer.statistics.reordered).toBe(10);
    expect(buffer.statistics.duplicated + buffer.statistics.late).toBe(15);
  });

  it('JitterBuffer replaces a lost packet, once with the sound before it, softer', () => {
    const buffer = new JitterBuffer();
    for (const packet of [0, 1, 4, 5]) buffer.push(packet * FRAME, numbered(packet));
    const taken = Array.from({ length: 7 }, () => buffer.take());
    expect(taken.map(({ samples, isReceived }) => [samples[0], isReceived])).toEqual([
      [0, false],
      [1000, true],
      [1001, true],
      [500, false],
      [0, false],
      [1004, true],
      [1005, true],
    ]);
    expect(buffer.statistics.lost).toBe(2);
  });

  it('JitterBuffer waits longer when packets are late, at most 80 ms', () => {
    const { frames, delayMs, buffer } = heard(1000, (packet) => [packet * 20 + (packet < 5 ? 0 : 70 * noise(packet))]);
    expect(delayMs).toBeLessThanOrEqual(100);
    // Once the delay has grown, nothing is missing any more.
    expect(frames.slice(-800)).toEqual(numbers(1000).slice(-800));
    expect(buffer.delayMs).toBeGreaterThanOrEqual(60);
  });

  it('JitterBuffer loses nothing of a stream that stands still for a moment, and returns to a short delay', () => {
    const stalled = (packet: number) => (packet > 50 && packet < 60 ? 60 * 20 : packet * 20);
    const { frames, delayMs } = heard(600, (packet) => [stalled(packet)]);
    const missing = numbers(600).filter((packet) => !frames.includes(packet));
    expect(missing.length).toBeLessThan(12);
    expect(delayMs).toBeLessThanOrEqual(100);
  });

  it('JitterBuffer follows a sender whose clock is faster or slower', () => {
    for (const drift of [0.995, 1.005]) {
      const { frames, delayMs } = heard(2000, (packet) => [packet * 20 * drift]);
      expect(numbers(2000).filter((packet) => !frames.includes(packet)).length).toBeLessThan(15);
      expect(Math.abs(delayMs - 2000 * 20 * (drift - 1))).toBeLessThanOrEqual(120);
    }
  });

  it('JitterBuffer continues at once after a pause of the sender, and when timestamps begin again', () => {
    const paused = heard(
      100,
      (packet) => [packet * 20 + (packet >= 50 ? 1000 : 0)],
      (packet) => packet * FRAME + (packet >= 50 ? 8000 : 0),
    );
    expect(paused.delayMs - 1000).toBeLessThanOrEqual(60);
    expect(paused.frames.filter((frame) => frame !== null)).toEqual(numbers(100));
    const restarted = heard(
      100,
      (packet) => [packet * 20],
      (packet) => (packet >= 50 ? packet * FRAME - 2_000_000 : packet * FRAME),
    );
    expect(numbers(100).filter((packet) => !restarted.frames.includes(packet)).length).toBeLessThanOrEqual(2);
    const wrapped = heard(
      100,
      (packet) => [packet * 20],
      (packet) => 0xffffff00 + packet * FRAME,
    );
    expect(wrapped.frames).toEqual(numbers(100));
  });

  it('JitterBuffer takes packets of other lengths', () => {
    const buffer = new JitterBuffer();
    for (let packet = 0; packet < 6; packet += 1) buffer.push(packet * 80, numbered(packet, 80));
    for (let packet = 0; packet < 2; packet += 1) buffer.push(480 + packet * 240, numbered(10 + packet, 240));
    const taken = Array.from({ length: 7 }, () => [...new Set(buffer.take().samples)].map((sample) => sample - 1000));
    expect(taken).toEqual([[-1000], [0, 1], [2, 3], [4, 5], [10], [10, 11], [11]]);
  });

  it('JitterBuffer keeps a bounded number of packets, whatever is sent', () => {
    const buffer = new JitterBuffer();
    for (let packet = 0; packet < 20_000; packet += 1) {
      buffer.push((packet * 7919) % 40_000, numbered(packet % 100, 1 + (packet % 1700)));
      if (packet % 50 === 0) expect(buffer.take().samples).toHaveLength(FRAME);
    }
    buffer.push(1, new Int16Array(0));
    buffer.push(1, new Int16Array(5000));
    let frames = 0;
    while (buffer.take().isReceived && frames < 10_000) frames += 1;
    expect(frames).toBeLessThan(1100);
  });
});
