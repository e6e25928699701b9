import { describe, expect, it } from '@jest/globals';
import { type CallPattern, countPlacedCall, countShortCalls } from './call-pattern.ts';

const START = Date.parse('2030-01-01T12:00:00Z');
const HOUR = 3600;

/** Places calls at times in seconds; the alarms with the number of the call that raised them. */
function place(calls: readonly (readonly [number, string | null])[], from: CallPattern | null = null) {
  let pattern = from;
  const alarms = calls.flatMap(([secs, country], index) => {
    const counted = countPlacedCall(pattern, { country }, new Date(START + secs * 1000));
    pattern = counted.pattern;
    return counted.alarms.map(({ kind, countries }) => [index, kind, ...countries]);
  });
  return { pattern: pattern!, alarms };
}

const every = (secs: number, count: number, country = 'DK', from = 0) =>
  Array.from({ length: count }, (_, index): [number, string] => [from + index * secs, country]);

describe('an alarm about the calls that a company places', () => {
  const usual = () => place(every(HOUR, 30)).pattern;
  const later = 31 * HOUR;

  it('an alarm about the calls that a company places is raised for three countries that were never called before, within an hour, once', () => {
    const { alarms } = place(
      [
        [later, 'SE'],
        [later + 10, 'JM'],
        [later + 20, 'JM'],
        [later + 30, 'CU'],
        [later + 40, 'LV'],
      ],
      usual(),
    );
    expect(alarms).toEqual([[3, 'new_countries', 'SE', 'JM', 'CU']]);
  });

  it('an alarm about the calls that a company places is not raised for new countries over days, for known ones, or for the first calls of a company', () => {
    expect(
      place(
        [
          [later, 'SE'],
          [later + HOUR, 'JM'],
          [later + 2 * HOUR, 'CU'],
        ],
        usual(),
      ).alarms,
    ).toEqual([]);
    expect(
      place([
        [0, 'DK'],
        [1, 'SE'],
        [2, 'NO'],
        [3, 'FI'],
      ]).alarms,
    ).toEqual([]);
  });

  it('an alarm about the calls that a company places is raised for many more calls than usual, again after a day', () => {
    const { alarms, pattern } = place(every(1, 200, 'DK', later), usual());
    expect(alarms).toEqual([[59, 'volume']]);
    expect(place(every(1, 200, 'DK', later + 10 * HOUR), pattern).alarms).toEqual([]);
    expect(place(every(1, 200, 'DK', later + 24 * HOUR), pattern).alarms).toHaveLength(1);
  });

  it('an alarm about the calls that a company places is not raised for a company that always calls as much', () => {
    let { pattern } = place([[0, 'DK']]);
    for (let hour = 1; hour < 200; hour++) ({ pattern } = place(every(60, 50, 'DK', hour * HOUR), pattern));
    expect(pattern.usual.placed).toBeCloseTo(50 * (1 - 0.5 ** (198 / 168)), 0);
    expect(place(every(10, 130, 'DK', 200 * HOUR), pattern).alarms).toEqual([]);
    expect(place(every(10, 150, 'DK', 200 * HOUR), pattern).alarms).toHaveLength(1);
  });

  it('an alarm about the calls that a company places is raised for many short calls, with the next call', () => {
    const short = countShortCalls(usual(), 30, new Date(START + later * 1000));
    expect(place([[later + 1, 'DK']], short).alarms).toEqual([[0, 'short_calls']]);
    expect(place([[later + HOUR, 'DK']], short).alarms).toEqual([]);
  });
});

it('what is known of a company stays small', () => {
  const { pattern } = place(
    Array.from({ length: 400 }, (_, index): [number, string] => [index * HOUR * 24, `C${index}`]),
  );
  expect(Object.keys(pattern.countries).length).toBeLessThanOrEqual(180);
});
