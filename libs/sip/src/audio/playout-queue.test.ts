import { describe, expect, it } from '@jest/globals';
import { type Clip, PlayoutQueue } from './playout-queue.ts';

const FRAME = 160;
const loud = (ms: number, value = 1000) => new Int16Array(ms * 8).fill(value);
const times = <T>(count: number, make: () => T) => Array.from({ length: count }, make);

describe('PlayoutQueue', () => {
  it('PlayoutQueue plays clips one after the other without a gap, then silence', () => {
    const played: Clip[] = [];
    const queue = new PlayoutQueue((clip) => played.push(clip));
    const [one, two] = [queue.play(loud(30, 1)), queue.play(loud(10, 2))];
    expect([one.state, two.state]).toEqual(['waiting', 'waiting']);
    const frames = times(3, () => [...new Set(queue.take(FRAME))]);
    expect(frames).toEqual([[1], [1, 2], [0]]);
    expect(played).toEqual([one, two]);
    expect([one.state, one.playedMs, two.state, two.playedMs]).toEqual(['played', 30, 'played', 10]);
    expect(queue.isPlaying).toBe(false);
  });

  it('PlayoutQueue plays a clip as it arrives, and keeps the next one waiting until it is complete', () => {
    const queue = new PlayoutQueue();
    const spoken = queue.play();
    queue.play(loud(20, 2));
    expect([...new Set(queue.take(FRAME))]).toEqual([0]);
    spoken.append(loud(20, 1));
    expect([...new Set(queue.take(FRAME))]).toEqual([1]);
    expect([...new Set(queue.take(FRAME))]).toEqual([0]);
    expect([spoken.state, spoken.playedMs, spoken.lengthMs]).toEqual(['playing', 20, 20]);
    spoken.finish();
    expect([...new Set(queue.take(FRAME))]).toEqual([2]);
    expect(() => spoken.append(loud(1))).toThrow('the clip is complete');
  });

  it('PlayoutQueue is silent within a frame after it was stopped, without a click', () => {
    const queue = new PlayoutQueue();
    const [current, next] = [queue.play(loud(1000)), queue.play(loud(20))];
    times(5, () => queue.take(FRAME));
    expect(queue.stop()).toBe(current);
    expect([current.state, current.playedMs, next.state]).toEqual(['stopped', 100, 'stopped']);
    const last = queue.take(FRAME);
    expect(last[0]).toBeGreaterThan(900);
    for (let at = 1; at < FRAME; at += 1) expect(last[at]!).toBeLessThanOrEqual(last[at - 1]!);
    expect([...new Set(last.subarray(80))]).toEqual([0]);
    expect([...new Set(queue.take(FRAME))]).toEqual([0]);
  });

  it('PlayoutQueue has nothing to resume when nothing was heard', () => {
    const queue = new PlayoutQueue();
    expect(queue.stop()).toBeUndefined();
    const clip = queue.play(loud(20));
    expect(queue.stop()).toBeUndefined();
    expect(clip.state).toBe('stopped');
  });

  it('PlayoutQueue resumes a stopped clip at a position, before what waits', () => {
    const queue = new PlayoutQueue();
    const clip = queue.play(Int16Array.from({ length: 8000 }, (_, at) => at));
    times(10, () => queue.take(FRAME));
    queue.stop();
    queue.take(FRAME);
    queue.play(loud(20, -5));
    queue.resume(clip, 150);
    expect(queue.take(FRAME)[0]).toBe(1200);
    expect([clip.state, clip.playedMs]).toEqual(['playing', 170]);
    queue.resume(clip, 0);
    expect(queue.take(FRAME)[0]).toBe(1360);
    queue.stop();
    queue.resume(clip);
    queue.take(FRAME);
    expect(clip.playedMs).toBe(210);
  });

  it('PlayoutQueue plays a clip before one that waits for its audio', () => {
    const played: Clip[] = [];
    const queue = new PlayoutQueue((clip) => played.push(clip));
    const waiting = queue.play();
    queue.take(FRAME);
    const first = queue.playFirst(loud(20, 5));
    waiting.append(loud(20, 7));
    waiting.finish();
    expect([queue.take(FRAME)[0], queue.take(FRAME)[0]]).toEqual([5, 7]);
    expect(played).toEqual([first, waiting]);
  });

  it('PlayoutQueue makes a clip softer within a frame, and loud again', () => {
    const queue = new PlayoutQueue();
    queue.play(loud(200));
    queue.take(FRAME);
    queue.setVolume(0.5);
    const falling = queue.take(FRAME);
    expect([falling[0]! > 990, falling[FRAME - 1]]).toEqual([true, 500]);
    expect([...new Set(queue.take(FRAME))]).toEqual([500]);
    queue.setVolume(7);
    queue.take(FRAME);
    expect([...new Set(queue.take(FRAME))]).toEqual([1000]);
  });

  it('PlayoutQueue refuses a clip without end', () => {
    const clip = new PlayoutQueue().play();
    clip.append(loud(200_000));
    expect(() => clip.append(loud(200_000))).toThrow(RangeError);
  });
});
