import { describe, expect, it } from '@jest/globals';
import { atWork, hoursOf, shownHours, waitingNow } from './figures.ts';

const days = { from: '2026-10-25', to: '2026-10-26' };
const hour = (key: string, total: number) => ({ key: `${key}:00:00`, total });

describe('today at a glance', () => {
  it('today at a glance counts the calls of today and of yesterday by hour, also those of an hour that is there twice', () => {
    const rows = [hour('2026-10-25T02', 1), hour('2026-10-25T02', 2), hour('2026-10-26T09', 4)];
    const { today, yesterday } = hoursOf(rows, days);
    expect([today[9], today[2], yesterday[2], yesterday[9]]).toEqual([4, 0, 3, 0]);
    expect([today.length, yesterday.length]).toEqual([24, 24]);
  });

  it('today at a glance says how long the first of those who wait has waited', () => {
    const waiting = (secs: number) => ({ waiting_secs: secs }) as never;
    expect(waitingNow([{ waiting: [waiting(20)] }, { waiting: [waiting(70), waiting(5)] }])).toEqual({
      count: 3,
      longestSecs: 70,
    });
    expect(waitingNow([{ waiting: [] }])).toEqual({ count: 0, longestSecs: null });
  });

  it('today at a glance shows office hours, and more where there were calls', () => {
    expect(shownHours(hoursOf([], days))).toEqual([8, 9, 10, 11, 12, 13, 14, 15, 16, 17]);
    const shown = shownHours(hoursOf([hour('2026-10-26T06', 1), hour('2026-10-25T20', 1)], days));
    expect([shown[0], shown.at(-1)]).toEqual([6, 20]);
  });

  it('today at a glance counts who is at work', () => {
    expect(atWork([{ status: 'on_call' }, { status: 'available' }, { status: 'logged_out' }])).toEqual({
      onPhone: 1,
      all: 2,
    });
  });
});
