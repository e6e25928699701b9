import { describe, expect, it } from '@jest/globals';
import { FrameSchedule } from './frame-pacer.ts';

/** When frames are sent if each timer is late by the next of these delays. */
function sentAt(delays: readonly number[]) {
  const schedule = new FrameSchedule(0);
  const sent: number[] = [];
  let skipped = 0;
  let now = 0;
  for (const delay of delays) {
    skipped += schedule.send(now).skipped;
    sent.push(now);
    now += schedule.waitMs(now) + delay;
  }
  return { sent, skipped };
}

describe('FrameSchedule', () => {
  it('FrameSchedule sends every 20 ms on average, however late single timers are', () => {
    const { sent, skipped } = sentAt(Array.from({ length: 501 }, (_, index) => (index * 7) % 13));
    expect(skipped).toBe(0);
    expect(Math.abs(sent.at(-1)! - 500 * 20)).toBeLessThan(20);
  });

  it('FrameSchedule catches up with at least 10 ms between frames', () => {
    const { sent, skipped } = sentAt([0, 0, 70, ...Array.from({ length: 20 }, () => 0)]);
    expect(sent.slice(0, 10)).toEqual([0, 20, 40, 130, 140, 150, 160, 170, 180, 190]);
    expect(sent.at(-1)).toBe(22 * 20);
    expect(skipped).toBe(0);
  });

  it('FrameSchedule leaves out what a long pause of the process has made useless', () => {
    const { sent, skipped } = sentAt([0, 1000, 0, 0, 0]);
    expect(skipped).toBe(50);
    expect(sent).toEqual([0, 20, 1040, 1060, 1080]);
  });
});
