import { expect, it } from '@jest/globals';
import type { Decision } from '@parley/errors';
import {
  type CompanyTotals,
  dropZones,
  endRun,
  type ZoneRequest,
  requestZone,
} from '../company-totals/company-totals.ts';
import { type ReadyTotalsDeps, readWhenReady } from './read-when-ready.ts';

const now = new Date('2026-11-16T12:00:00Z');
const of = { companyId: 'com_1', zone: 'Asia/Tokyo' };
const signal = AbortSignal.timeout(30_000);
const stateOf = (decision: Decision<CompanyTotals>): CompanyTotals => {
  if (!decision.ok) throw new Error('refused');
  return decision.state;
};

function company() {
  const wishes: ZoneRequest[] = [];
  let state: CompanyTotals | undefined;
  const want = (request: ZoneRequest) => (state = stateOf(requestZone(state, 'com_1', request, now)));
  const deps: ReadyTotalsDeps = {
    companyTotals: {
      get: async () => state,
      async requestZone(_, request) {
        wishes.push(request);
        return want(request);
      },
    },
    ownZones: async () => ['UTC'],
    pollNow: () => undefined,
  };
  return {
    deps,
    wishes,
    want,
    change: (decide: (current: CompanyTotals) => CompanyTotals) => (state &&= decide(state)),
    make: () =>
      (state &&= stateOf(endRun(state, { zones: state.requestedZones, isAll: true, epoch: state.epoch }, now))),
  };
}

it('a report wants a time zone again that gave way to others before it was made', async () => {
  const test = company();
  let polls = 0;
  const pollNow = () => {
    polls++;
    if (polls === 1) test.change((state) => ({ ...state, requestedZones: ['Europe/Rome'] }));
    else test.make();
  };
  const { result } = await readWhenReady({ ...test.deps, pollNow }, of, signal, async () => 'read');
  expect(result).toBe('read');
  expect(test.wishes).toEqual([
    { zone: 'Asia/Tokyo', isLimited: true },
    { zone: 'Asia/Tokyo', isLimited: true },
  ]);
});

it('a report does not limit a time zone of the company', async () => {
  const test = company();
  await readWhenReady({ ...test.deps, pollNow: test.make }, { ...of, zone: 'UTC' }, signal, async () => undefined);
  expect(test.wishes).toEqual([{ zone: 'UTC', isLimited: false }]);
});

it('a report reads again when the time zone was dropped while it was read', async () => {
  const test = company();
  test.want({ zone: of.zone, isLimited: true });
  test.make();
  let reads = 0;
  const { result } = await readWhenReady({ ...test.deps, pollNow: test.make }, of, signal, async () => {
    reads++;
    if (reads > 1) return 'all';
    test.change((state) => stateOf(dropZones({ ...state, run: state.run + 1 }, [])));
    test.change((state) => ({ ...state, requestedZones: [] }));
    return 'deleted meanwhile';
  });
  expect([result, reads]).toEqual(['all', 2]);
});
