import { describe, expect, it } from '@jest/globals';
import { firstIndexFrom, firstSegment, nextEntries, oldestKept, successorOf, withEntries } from './segment.ts';

const at = (secs: number) => new Date(Date.UTC(2026, 2, 1) + secs * 1000);
const events = ['evt_1', 'evt_2', 'evt_3'].map((id) => ({ id, event: 'contact.created' }));

describe('a segment', () => {
  it('a segment takes as many events as fit in, in their order', () => {
    const segment = { ...firstSegment(at(0)), count: 8 };
    const entries = nextEntries(segment, events, at(1), 10);
    expect(entries.map(({ id }) => id)).toEqual(['evt_1', 'evt_2']);
    expect(withEntries(segment, entries)).toEqual({ ...segment, count: 10, lastAt: at(1) });
    expect(nextEntries({ ...segment, count: 10 }, events, at(1), 10)).toEqual([]);
  });

  it('a segment and its successor have no entry of an earlier time, after a clock that went back', () => {
    const segment = { ...firstSegment(at(0)), lastAt: at(60) };
    expect(nextEntries(segment, events, at(10), 10).map((entry) => entry.at)).toEqual([at(60), at(60), at(60)]);
    expect(successorOf(segment)).toEqual({ number: 1, firstAt: at(60), lastAt: at(60), count: 0 });
  });

  it.each([
    [0, 0],
    [1, 0],
    [2, 0],
    [3, 1],
    [10, 8],
  ])('a log whose newest segment is %d and that may have three keeps those from %d on', (newest, oldest) => {
    expect(oldestKept(newest, 30, 10)).toBe(oldest);
  });

  it.each([
    [0, 0],
    [5, 0],
    [6, 1],
    [10, 1],
    [11, 3],
  ])('the first entry from %d s on is number %d', (secs, index) => {
    expect(firstIndexFrom([{ at: at(5) }, { at: at(10) }, { at: at(10) }], at(secs))).toBe(index);
  });
});
