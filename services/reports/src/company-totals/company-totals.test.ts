import { describe, expect, it } from '@jest/globals';
import type { Decision } from '@parley/errors';
import {
  affectedScopes,
  type Change,
  type CompanyTotals,
  noteChanges,
  startRebuild,
  totalsMade,
  uncountedSince,
  wantZone,
} from './company-totals.ts';

const now = new Date('2026-11-16T12:00:00Z');
const stateOf = (decision: Decision<CompanyTotals>): CompanyTotals => {
  if (!decision.ok) throw new Error('refused');
  return decision.state;
};
const change = (hour: number, since = now): Change => ({
  kind: 'calls',
  hour,
  businessNumberIds: ['num_1'],
  employeeIds: [`emp_${hour}`],
  since,
});
const noted = (current: CompanyTotals | undefined, ...changes: Change[]) =>
  stateOf(noteChanges(current, 'com_1', changes, now));
const made = (current: CompanyTotals, from: CompanyTotals, zones = ['UTC']) =>
  stateOf(totalsMade(current, { zones, changed: from.changed, epoch: from.epoch, tookMs: 10 }, now));

describe('changes of facts', () => {
  it('are noted once for an hour, with everybody they affect and the earliest event', () => {
    const earlier = new Date(now.getTime() - 5000);
    const state = noted(noted(undefined, change(1)), { ...change(1, earlier), employeeIds: ['emp_9'] }, change(2));
    expect(state.changed.map(({ hour, employeeIds }) => [hour, employeeIds])).toEqual([
      [1, ['emp_1', 'emp_9']],
      [2, ['emp_2']],
    ]);
    expect(uncountedSince(state)).toEqual(earlier);
    expect(state.due).not.toBeNull();
  });

  it('that were noted while totals were made are left', () => {
    const before = noted(undefined, change(1), change(2));
    const meanwhile = noted(before, change(2));
    const after = made(meanwhile, before);
    expect(after.changed.map(({ hour }) => hour)).toEqual([2]);
    expect(after.due).not.toBeNull();
    expect(after.zones).toEqual(['UTC']);
    const done = made(after, after);
    expect([done.changed, done.due, uncountedSince(done)]).toEqual([[], null, undefined]);
  });

  it('of very many hours have all totals made again, also when others are being made', () => {
    const before = made(noted(undefined, change(1)), noted(undefined, change(1)));
    const many = noted(before, ...Array.from({ length: 1001 }, (_, hour) => change(hour)));
    expect([many.changed, many.zones]).toEqual([[], []]);
    const after = made(many, before);
    expect([after.zones, after.due !== null]).toEqual([[], true]);
  });

  it('affect the totals of everybody, of the number, of the employees, and of both', () => {
    expect([...affectedScopes(change(1))].sort()).toEqual(['/', '/emp_1', 'num_1/', 'num_1/emp_1']);
  });
});

describe('a time zone', () => {
  it('that a report is requested in is made at once, and the eight latest are kept', () => {
    let state: CompanyTotals | undefined;
    for (let n = 0; n < 10; n++) state = stateOf(wantZone(state, 'com_1', `Zone/${n}`, now));
    expect(state?.wantedZones).toHaveLength(8);
    expect(state?.wantedZones.at(-1)).toBe('Zone/9');
    expect(state?.due?.at).toEqual(now);
  });

  it('that has been made is not wanted again', () => {
    const state = made(noted(undefined, change(1)), noted(undefined, change(1)));
    expect(stateOf(wantZone(state, 'com_1', 'UTC', now))).toBe(state);
  });
});

describe('a rebuild', () => {
  it('reads everything from the owners again, also when totals are being made', () => {
    const before = made(noted(undefined, change(1)), noted(undefined, change(1)));
    const rebuilding = stateOf(startRebuild(before, 'com_1', now));
    expect([rebuilding.isBackfilled, rebuilding.zones]).toEqual([false, []]);
    expect(made(rebuilding, before)).toMatchObject({ isBackfilled: false, zones: [] });
    expect(made(rebuilding, rebuilding)).toMatchObject({ isBackfilled: true, zones: ['UTC'] });
  });
});
