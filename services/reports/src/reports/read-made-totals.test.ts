import { expect, it } from '@jest/globals';
import type { Decision } from '@parley/errors';
import {
  type CompanyTotals,
  dropZones,
  totalsMade,
  type WantedZone,
  wantZone,
} from '../company-totals/company-totals.ts';
import { type MadeTotalsDeps, readMadeTotals } from './read-made-totals.ts';

const now = new Date('2026-11-16T12:00:00Z');
const of = { companyId: 'com_1', zone: 'Asia/Tokyo' };
const signal = AbortSignal.timeout(30_000);
const stateOf = (decision: Decision<CompanyTotals>): CompanyTotals => {
  if (!decision.ok) throw new Error('refused');
  return decision.state;
};

function company() {
  const wishes: WantedZone[] = [];
  let state: CompanyTotals | undefined;
  const want = (wish: WantedZone) => (state = stateOf(wantZone(state, 'com_1', wish, now)));
  const deps: MadeTotalsDeps = {
    companyTotals: {
      get: async () => state,
      async want(_, wish) {
        wishes.push(wish);
        return want(wish);
      },
    },
    ownZones: async () => ['UTC'],
    nudge: () => undefined,
  };
  return {
    deps,
    wishes,
    want,
    change: (decide: (current: CompanyTotals) => CompanyTotals) => (state &&= decide(state)),
    make: () =>
      (state &&= stateOf(
        totalsMade(state, { zones: state.wantedZones, changed: [], epoch: state.epoch, tookMs: 1 }, now),
      )),
  };
}

it('wants a time zone again that gave way to others before it was made', async () => {
  const test = company();
  let nudges = 0;
  const nudge = () => {
    nudges++;
    if (nudges === 1) test.change((state) => ({ ...state, wantedZones: ['Europe/Rome'] }));
    else test.make();
  };
  const { result } = await readMadeTotals({ ...test.deps, nudge }, of, signal, async () => 'read');
  expect(result).toBe('read');
  expect(test.wishes).toEqual([
    { zone: 'Asia/Tokyo', isLimited: true },
    { zone: 'Asia/Tokyo', isLimited: true },
  ]);
});

it('does not limit a time zone of the company', async () => {
  const test = company();
  await readMadeTotals({ ...test.deps, nudge: test.make }, { ...of, zone: 'UTC' }, signal, async () => undefined);
  expect(test.wishes).toEqual([{ zone: 'UTC', isLimited: false }]);
});

it('reads again when the time zone was dropped while it was read', async () => {
  const test = company();
  test.want({ zone: of.zone, isLimited: true });
  test.make();
  let reads = 0;
  const { result } = await readMadeTotals({ ...test.deps, nudge: test.make }, of, signal, async () => {
    reads++;
    if (reads > 1) return 'all';
    test.change((state) => stateOf(dropZones({ ...state, run: state.run + 1 }, [])));
    test.change((state) => ({ ...state, wantedZones: [] }));
    return 'deleted meanwhile';
  });
  expect([result, reads]).toEqual(['all', 2]);
});
