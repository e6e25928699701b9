import { describe, expect, it } from '@jest/globals';
import { movableClock } from '@parley/clock';
import { waitUntil } from '@parley/testkit';
import { Timeline } from './timeline.ts';

describe('a timeline', () => {
  it('a timeline runs faster than real time', async () => {
    const timeline = new Timeline(movableClock(), 1000);
    let fired = false;
    const started = performance.now();
    timeline.after(20_000, () => (fired = true));
    await waitUntil(() => fired, { what: 'twenty seconds' });
    expect(performance.now() - started).toBeGreaterThanOrEqual(19);
  });

  it('a timeline fires what came due with the clock, in order, on request', () => {
    const clock = movableClock();
    const timeline = new Timeline(clock);
    const fired: string[] = [];
    timeline.after(60_000, () => fired.push('a minute'));
    timeline.after(30_000, () => fired.push('half a minute'));
    timeline.after(90_000, () => fired.push('more'));
    expect(timeline.nextDueInMs()).toBeGreaterThan(29_000);
    clock.setOffsetMs(60_000);
    expect(timeline.nextDueInMs()).toBe(0);
    expect(fired).toEqual([]);
    timeline.fireDue();
    expect(fired).toEqual(['half a minute', 'a minute']);
    timeline.clear();
    expect(timeline.nextDueInMs()).toBeUndefined();
  });

  it('a timeline does not go back with the clock, and loses no time that is left', () => {
    const clock = movableClock();
    const timeline = new Timeline(clock);
    clock.setOffsetMs(3_600_000);
    let fired = false;
    timeline.after(10_000, () => (fired = true));
    const before = timeline.now();
    clock.setOffsetMs(0);
    timeline.fireDue();
    expect(timeline.now()).toBeGreaterThanOrEqual(before);
    expect(timeline.nextDueInMs()).toBeLessThanOrEqual(10_000);
    clock.setOffsetMs(10_000);
    timeline.fireDue();
    expect(fired).toBe(true);
  });

  it('a timeline does not fire what an earlier timer cancelled, or what was cancelled', () => {
    const clock = movableClock();
    const timeline = new Timeline(clock);
    const fired: string[] = [];
    const second = timeline.after(2000, () => fired.push('second'));
    timeline.after(1000, () => {
      fired.push('first');
      second.cancel();
    });
    clock.setOffsetMs(5000);
    timeline.fireDue();
    expect(fired).toEqual(['first']);
  });
});
