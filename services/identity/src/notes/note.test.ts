import { describe, expect, it } from '@jest/globals';
import { endNote, nextNote, type Note, planNote, postponeNote, type WithNotes } from './note.ts';

const NOW = new Date('2030-01-01T00:00:00Z');
const after = (secs: number) => new Date(NOW.getTime() + secs * 1000);
const DAY = 24 * 3600;

const nothing: WithNotes = {};
const one = planNote(nothing, { about: 'password', to: 'a@example.com' }, NOW);
const first = nextNote(one) as Note;
const two = planNote(one, { about: 'address', to: 'b@example.com' }, after(5));

describe('a note', () => {
  it('is due at once, also where there never was one', () => {
    expect(one).toMatchObject({ notes: [{ about: 'password', to: 'a@example.com' }], due: { at: NOW, waitMs: 0 } });
    expect(nextNote(nothing)).toBeUndefined();
  });

  it('is over when it was sent', () => {
    expect(endNote(one, first, after(1))).toEqual({ notes: [], due: null });
  });

  it('is tried again later and later, for seven days', () => {
    const second = postponeNote(one, first, NOW);
    expect(second).toMatchObject({ notes: [{ tries: 1 }], due: { at: after(10), waitMs: 10_000 } });
    const third = postponeNote(second, nextNote(second) as Note, after(10));
    expect(third).toMatchObject({ notes: [{ tries: 2 }], due: { at: after(70) } });
    expect(postponeNote(one, first, after(7 * DAY))).toMatchObject({ notes: [], due: null });
  });

  it('does not disturb the sending of another, and does not wait for one that cannot be sent', () => {
    expect(two).toMatchObject({ due: { at: after(5), waitMs: 0 } });
    expect(nextNote(two)).toEqual(first);
    const failed = postponeNote(two, first, after(6));
    expect(nextNote(failed)?.about).toBe('address');
    expect(failed.due).toEqual({ at: after(6), waitMs: 0 });
    expect(endNote(failed, nextNote(failed) as Note, after(7))).toMatchObject({
      notes: [{ about: 'password' }],
      due: { at: after(16), waitMs: 9000 },
    });
  });

  it('that was removed meanwhile is not restored', () => {
    const gone = { ...one, notes: [], due: null };
    expect(endNote(gone, first, NOW)).toMatchObject({ notes: [], due: null });
    expect(postponeNote(gone, first, NOW)).toMatchObject({ notes: [], due: null });
  });

  it('is one of at most ten, the newest', () => {
    let many = nothing;
    for (let n = 0; n < 12; n++) many = planNote(many, { about: 'address', to: `${n}@example.com` }, after(n));
    expect(many.notes?.map(({ to }) => Number.parseInt(to, 10))).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });
});
