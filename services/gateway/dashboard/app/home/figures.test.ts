import { describe, expect, it } from '@jest/globals';
import { atWork, figuresOf, shownHours } from './figures.ts';

const now = new Date(2026, 10, 16, 13, 0);
const call = (hour: number, day = 16, changes: object = {}) => ({
  state: 'ended' as const,
  direction: 'inbound' as const,
  started_at: new Date(2026, 10, day, hour, 30).toISOString(),
  answered_at: null,
  ...changes,
});

describe('today at a glance', () => {
  it('counts the calls of today, not those of yesterday', () => {
    const figures = figuresOf([call(9), call(9, 16, { answered_at: 'x' }), call(10, 15)], now);
    expect(figures).toMatchObject({ calls: 2, answered: 1, waiting: 0, longestWait: null });
    expect([figures.today[9], figures.yesterday[10]]).toEqual([2, 1]);
  });

  it('says how long the first of those who wait has waited', () => {
    const figures = figuresOf([call(12, 16, { state: 'queued' }), call(9, 16, { state: 'bridged' })], now);
    expect(figures).toMatchObject({ waiting: 1, longestWait: 1800 });
  });

  it('shows office hours, and more where there were calls', () => {
    expect(shownHours(figuresOf([], now))).toEqual([8, 9, 10, 11, 12, 13, 14, 15, 16, 17]);
    expect(shownHours(figuresOf([call(6), call(20, 15)], now)).slice(0, 1)).toEqual([6]);
  });

  it('counts who is at work', () => {
    expect(atWork([{ status: 'on_call' }, { status: 'available' }, { status: 'logged_out' }])).toEqual({
      onPhone: 1,
      all: 2,
    });
  });
});
