import { describe, expect, it } from '@jest/globals';
import type { Decision } from '@parley/errors';
import {
  type CompanyTotals,
  dropZones,
  isZonePending,
  isZoneReady,
  noteChange,
  startRebuild,
  startRun,
  endRun,
  firstUncounted,
  requestZone,
} from './company-totals.ts';

const now = new Date('2026-11-16T12:00:00Z');
const stateOf = (decision: Decision<CompanyTotals>): CompanyTotals => {
  if (!decision.ok) throw new Error('refused');
  return decision.state;
};
const secsAgo = (secs: number) => new Date(now.getTime() - secs * 1000);
const noted = (current: CompanyTotals | undefined, since = now) => stateOf(noteChange(current, 'com_1', since, now));
const started = (current: CompanyTotals) => stateOf(startRun(current));
const made = (current: CompanyTotals, from: CompanyTotals, zones = ['UTC'], isAll = true) =>
  stateOf(endRun(current, { zones, isAll, epoch: from.epoch }, now));
const madeOnce = () => {
  const run = started(noted(undefined));
  return made(run, run);
};

describe('changes of facts', () => {
  it('changes of facts are noted with the earliest event, and only that is written', () => {
    const state = noted(noted(undefined, secsAgo(1)), secsAgo(5));
    expect(firstUncounted(state)).toEqual(secsAgo(5));
    expect(state.due).not.toBeNull();
    expect(noted(state, secsAgo(3))).toBe(state);
  });

  it('changes of facts that were noted while totals were made are left', () => {
    const run = started(noted(undefined, secsAgo(9)));
    expect(firstUncounted(run)).toEqual(secsAgo(9));
    const after = made(noted(run, secsAgo(1)), run);
    expect([firstUncounted(after), after.zones]).toEqual([secsAgo(1), ['UTC']]);
    expect(after.due).not.toBeNull();
    const next = started(after);
    const done = made(next, next);
    expect([firstUncounted(done), done.due]).toEqual([null, null]);
  });

  it('changes of facts that a run could not count are counted by the next one at once', () => {
    const run = started(noted(undefined, secsAgo(9)));
    const after = made(run, run, ['UTC'], false);
    expect([firstUncounted(after), after.due?.at]).toEqual([secsAgo(9), now]);
  });

  it('changes of facts that an interrupted run counted are counted with later ones', () => {
    const next = started(noted(started(noted(undefined, secsAgo(9))), secsAgo(1)));
    expect([firstUncounted(next), next.uncounted]).toEqual([secsAgo(9), null]);
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
  it('a time zone that a report is requested in is made at once, and eight are kept', () => {
    const eight = madeAll(wanted(undefined, zoneNames(0, 8)));
    const state = wanted(eight, zoneNames(8, 2));
    expect(state.requestedZones).toEqual(zoneNames(2, 8));
    expect(state.due?.at).toEqual(now);
  });

  it('a time zone that is still to be made does not give way to another', () => {
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

  it('a time zone that is new is refused after twenty in an hour, unless it is one of the company', () => {
    let state = madeAll(wanted(undefined, ['Zone/0']));
    for (const zone of zoneNames(1, 19)) state = madeAll(wanted(state, [zone]));
    const another = { zone: 'Zone/20', isLimited: true };
    expect(requestZone(state, 'com_1', another, now)).toMatchObject({ ok: false, refusal: { code: 'rate_limited' } });
    expect(wanted(state, ['Zone/own'], now, false).requestedZones).toContain('Zone/own');
    expect(wanted(state, state.requestedZones)).toBe(state);
    const hourLater = new Date(now.getTime() + 3_600_000);
    expect(wanted(state, ['Zone/20'], hourLater)).toMatchObject({ zonesAddedAt: [hourLater] });
  });

  it('a time zone that has been computed is not requested again', () => {
    const state = madeOnce();
    expect(stateOf(requestZone(state, 'com_1', { zone: 'UTC', isLimited: true }, now))).toBe(state);
  });

  it('a time zone that is out of use cannot be read from before its totals are deleted, even if it is made again at once', () => {
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
  it('a rebuild reads everything from the owners again, also when totals are being made', () => {
    const before = madeOnce();
    const rebuilding = stateOf(startRebuild(before, 'com_1', now));
    expect([rebuilding.isBackfilled, rebuilding.zones]).toEqual([false, []]);
    expect(made(rebuilding, before)).toMatchObject({ isBackfilled: false, zones: [] });
    expect(made(rebuilding, rebuilding)).toMatchObject({ isBackfilled: true, zones: ['UTC'] });
  });
});
