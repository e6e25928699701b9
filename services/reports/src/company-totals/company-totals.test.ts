import { describe, expect, it } from '@jest/globals';
import type { Decision } from '@parley/errors';
import {
  affectedScopes,
  type Change,
  type CompanyTotals,
  dropZones,
  isZonePending,
  isZoneReady,
  noteChanges,
  startRebuild,
  totalsMade,
  uncountedSince,
  requestZone,
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
  stateOf(totalsMade(current, { zones, changed: from.changed, epoch: from.epoch }, now));

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

const zoneNames = (first: number, count: number) => Array.from({ length: count }, (_, n) => `Zone/${first + n}`);
const wanted = (current: CompanyTotals | undefined, zones: readonly string[], at = now, isLimited = true) =>
  zones.reduce<CompanyTotals | undefined>(
    (state, zone) => stateOf(requestZone(state, 'com_1', { zone, isLimited }, at)),
    current,
  ) as CompanyTotals;
const madeAll = (state: CompanyTotals) => made(state, state, [...state.requestedZones]);

describe('a time zone', () => {
  it('that a report is requested in is made at once, and eight are kept', () => {
    const eight = madeAll(wanted(undefined, zoneNames(0, 8)));
    const state = wanted(eight, zoneNames(8, 2));
    expect(state.requestedZones).toEqual(zoneNames(2, 8));
    expect(state.due?.at).toEqual(now);
  });

  it('that is still to be made does not give way to another', () => {
    const seven = madeAll(wanted(undefined, zoneNames(1, 7)));
    const state = wanted(wanted(seven, ['Zone/new']), ['Zone/newer']);
    expect(state.requestedZones).toEqual([...zoneNames(2, 6), 'Zone/new', 'Zone/newer']);
    const pending = wanted(undefined, zoneNames(0, 8));
    expect(requestZone(pending, 'com_1', { zone: 'Zone/9', isLimited: true }, now)).toMatchObject({
      refusal: { code: 'rate_limited' },
    });
    const own = wanted(pending, ['Zone/own'], now, false);
    expect(own.requestedZones).toEqual([...zoneNames(1, 7), 'Zone/own']);
    expect([isZonePending(own, 'Zone/0'), isZonePending(own, 'Zone/1')]).toEqual([false, true]);
  });

  it('that is new is refused after twenty in an hour, unless it is one of the company', () => {
    let state = madeAll(wanted(undefined, ['Zone/0']));
    for (const zone of zoneNames(1, 19)) state = madeAll(wanted(state, [zone]));
    const another = { zone: 'Zone/20', isLimited: true };
    expect(requestZone(state, 'com_1', another, now)).toMatchObject({ ok: false, refusal: { code: 'rate_limited' } });
    expect(wanted(state, ['Zone/own'], now, false).requestedZones).toContain('Zone/own');
    expect(wanted(state, state.requestedZones)).toBe(state);
    const hourLater = new Date(now.getTime() + 3_600_000);
    expect(wanted(state, ['Zone/20'], hourLater)).toMatchObject({ zonesAddedAt: [hourLater] });
  });

  it('that has been computed is not requested again', () => {
    const state = made(noted(undefined, change(1)), noted(undefined, change(1)));
    expect(stateOf(requestZone(state, 'com_1', { zone: 'UTC', isLimited: true }, now))).toBe(state);
  });

  it('that is out of use cannot be read from before its totals are deleted, even if it is made again at once', () => {
    const before = { ...madeAll(wanted(undefined, ['Zone/0', 'Zone/1'])), run: 7 };
    const dropped = stateOf(dropZones(before, ['Zone/1']));
    expect(dropped).toMatchObject({ zones: ['Zone/1'], droppedZones: ['Zone/0'] });
    expect(isZoneReady(dropped, 'Zone/0')).toBe(false);
    const again = madeAll(dropped);
    expect(again.droppedZones).toEqual([]);
    expect([isZoneReady(again, 'Zone/0'), isZoneReady(again, 'Zone/0', before)]).toEqual([true, false]);
    expect(stateOf(dropZones(dropped, ['Zone/1']))).toBe(dropped);
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
