import { describe, expect, it } from '@jest/globals';
import { FrameDelivery } from './frame-delivery.ts';
import { JitterBuffer } from './jitter-buffer.ts';

/** What is delivered at each tick: numbers of packets, null for a frame in which nothing was received. */
function delivery() {
  const buffer = new JitterBuffer();
  let delivered: (number | null)[] = [];
  let lateMs: number[] = [];
  const frames = new FrameDelivery(buffer, (frame) => {
    delivered.push(frame.isReceived ? frame.samples[0]! : null);
    lateMs.push(frame.lateMs);
  });
  return {
    push: (...packets: number[]) => {
      for (const packet of packets) buffer.push(packet * 160, new Int16Array(160).fill(packet));
    },
    tick: (skipped = 0) => {
      [delivered, lateMs] = [[], []];
      frames.tick(skipped, 0);
      return delivered;
    },
    /** How late each frame of the last tick was. */
    late: () => lateMs,
  };
}

/** A call in which a packet comes before each tick, up to packet 9. */
function running() {
  const call = delivery();
  for (let packet = 0; packet < 10; packet += 1) {
    call.push(packet);
    call.tick();
  }
  return call;
}

describe('FrameDelivery', () => {
  it('FrameDelivery delivers silence while nothing comes, after a moment', () => {
    const { tick } = delivery();
    expect(Array.from({ length: 8 }, () => tick().length)).toEqual([0, 0, 0, 0, 0, 1, 1, 1]);
  });

  it('FrameDelivery waits a moment for packets that are late, and delivers them all', () => {
    const { push, tick } = running();
    expect(tick()).toEqual([9]);
    expect([tick(), tick(), tick()]).toEqual([[], [], []]);
    push(10, 11, 12, 13);
    const later = [14, 15, 16].map((packet) => {
      const delivered = tick();
      push(packet);
      return delivered;
    });
    expect(later.flat().slice(0, 5)).toEqual([10, 11, 12, 13, 14].slice(0, later.flat().length));
    expect(later[0]!.length).toBeGreaterThan(1);
  });

  it('FrameDelivery loses nothing when the process itself was busy', () => {
    const { push, tick, late } = running();
    push(...Array.from({ length: 20 }, (_, at) => 10 + at));
    const delivered = tick(19);
    expect(delivered).toEqual(Array.from({ length: delivered.length }, (_, at) => 9 + at));
    expect(delivered.length).toBeGreaterThanOrEqual(19);
    expect(late()).toEqual(Array.from({ length: delivered.length }, (_, at) => (delivered.length - 1 - at) * 20));
  });

  it('FrameDelivery does not deliver more than the time that has passed', () => {
    const { push, tick } = delivery();
    let frames = 0;
    for (let packet = 0; packet < 500; packet += 1) {
      push(packet);
      frames += tick(packet % 50 === 0 ? 3 : 0).length;
    }
    expect(frames).toBeLessThanOrEqual(500);
  });
});
