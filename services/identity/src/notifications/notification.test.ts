import { dueIn } from '@parley/errors';
import { describe, expect, it } from '@jest/globals';
import {
  endNotification,
  nextNotification,
  type AccountNotification,
  planNotification,
  postponeNotification,
  rescheduleNotifications,
  type WithNotifications,
} from './notification.ts';

const NOW = new Date('2030-01-01T00:00:00Z');
const after = (secs: number) => new Date(NOW.getTime() + secs * 1000);
const DAY = 24 * 3600;

const nothing: WithNotifications = { notifications: [], due: null };
const one = planNotification(nothing, { about: 'password', to: 'a@example.com' }, NOW);
const first = nextNotification(one) as AccountNotification;
const two = planNotification(one, { about: 'address', to: 'b@example.com' }, after(5));

describe('a notification', () => {
  it('a notification is due at once, also where there never was one', () => {
    expect(one).toMatchObject({
      notifications: [{ about: 'password', to: 'a@example.com' }],
      due: { at: NOW, waitMs: 0 },
    });
    expect(nextNotification(nothing)).toBeUndefined();
  });

  it('a notification is over when it was sent', () => {
    expect(endNotification(one, first, after(1))).toEqual({ notifications: [], due: null });
  });

  it('a notification is tried again later and later, for seven days', () => {
    const second = postponeNotification(one, first, NOW);
    expect(second).toMatchObject({ notifications: [{ tries: 1 }], due: { at: after(10), waitMs: 10_000 } });
    const third = postponeNotification(second, nextNotification(second) as AccountNotification, after(10));
    expect(third).toMatchObject({ notifications: [{ tries: 2 }], due: { at: after(70) } });
    expect(postponeNotification(one, first, after(7 * DAY))).toMatchObject({ notifications: [], due: null });
  });

  it('a notification does not disturb the sending of another, and does not wait for one that cannot be sent', () => {
    expect(two).toMatchObject({ due: { at: after(5), waitMs: 0 } });
    expect(nextNotification(two)).toEqual(first);
    const failed = postponeNotification(two, first, after(6));
    expect(nextNotification(failed)?.about).toBe('address');
    expect(failed.due).toEqual({ at: after(6), waitMs: 0 });
    expect(endNotification(failed, nextNotification(failed) as AccountNotification, after(7))).toMatchObject({
      notifications: [{ about: 'password' }],
      due: { at: after(16), waitMs: 9000 },
    });
  });

  it('a notification that was removed meanwhile is not restored', () => {
    const gone = { ...one, notifications: [], due: null };
    expect(endNotification(gone, first, NOW)).toMatchObject({ notifications: [], due: null });
    expect(postponeNotification(gone, first, NOW)).toMatchObject({ notifications: [], due: null });
  });

  it('a notification is due when it is to be sent; without one nothing is due', () => {
    const due = { at: NOW, waitMs: 0 };
    expect(rescheduleNotifications({ notifications: [], due }, NOW)).toEqual({ notifications: [], due: null });
    expect(rescheduleNotifications({ ...one, due: null }, after(1))).toEqual({ ...one, due: dueIn(after(1), 0) });
  });

  it('a notification is one of at most ten, the newest', () => {
    let many = nothing;
    for (let n = 0; n < 12; n++) many = planNotification(many, { about: 'address', to: `${n}@example.com` }, after(n));
    expect(many.notifications.map(({ to }) => Number.parseInt(to, 10))).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });
});
