import { describe, expect, it } from '@jest/globals';
import {
  admitCall,
  type CallLimits,
  type CallUsage,
  mayReport,
  newCallUsage,
  removeCalls,
  reportRefused,
} from './call-usage.ts';

const NOW = Date.parse('2030-01-01T12:00:00Z');
const LIMITS: CallLimits = {
  simultaneousCalls: 100,
  callsPerMinute: 100,
  employeeSimultaneousCalls: 100,
  employeeCallsPerMinute: 100,
};
const ADA = 'emp_ada';
const BOB = 'emp_bob';

/** Asks for calls at times in seconds; what each of them got. */
function run(limits: Partial<CallLimits>, calls: readonly (readonly [number, string | null])[], from?: CallUsage) {
  let usage = from ?? newCallUsage('com_1');
  const outcomes = calls.map(([secs, employeeId], index) => {
    const now = new Date(NOW + secs * 1000);
    const request = { callId: `cal_${usage.admitted.length}_${index}_${secs}`, employeeId };
    const result = admitCall(usage, request, { ...LIMITS, ...limits }, { now, machineMs: now.getTime() });
    usage = result.usage;
    return result.refused?.limit ?? 'admitted';
  });
  return { usage, outcomes };
}

describe('a call is admitted', () => {
  it.each<[string, Partial<CallLimits>, [number, string | null][], string[]]>([
    [
      'up to the calls of the company at once',
      { simultaneousCalls: 2 },
      [
        [0, null],
        [1, ADA],
        [200, null],
      ],
      ['admitted', 'admitted', 'simultaneousCalls'],
    ],
    [
      'up to the calls of the company in any minute',
      { callsPerMinute: 2 },
      [
        [0, null],
        [30, ADA],
        [59.999, BOB],
        [60, BOB],
        [61, null],
        [90, null],
      ],
      ['admitted', 'admitted', 'callsPerMinute', 'admitted', 'callsPerMinute', 'admitted'],
    ],
    [
      'up to the calls that an employee has at once; colleagues and inbound calls are not concerned',
      { employeeSimultaneousCalls: 1 },
      [
        [0, ADA],
        [1, ADA],
        [2, BOB],
        [3, null],
        [4, null],
      ],
      ['admitted', 'employeeSimultaneousCalls', 'admitted', 'admitted', 'admitted'],
    ],
    [
      'up to the calls that an employee places in any minute',
      { employeeCallsPerMinute: 1 },
      [
        [0, ADA],
        [1, ADA],
        [2, BOB],
        [60, ADA],
      ],
      ['admitted', 'employeeCallsPerMinute', 'admitted', 'admitted'],
    ],
    ['never, where there may be none', { simultaneousCalls: 0 }, [[0, null]], ['simultaneousCalls']],
    ['never, where none may begin', { callsPerMinute: 0 }, [[0, null]], ['callsPerMinute']],
  ])('a call is admitted %s', (_case, limits, calls, expected) => {
    expect(run(limits, calls).outcomes).toEqual(expected);
  });

  it('a call is admitted once, however often it asks', () => {
    const time = { now: new Date(NOW), machineMs: NOW };
    const request = { callId: 'cal_1', employeeId: ADA };
    const one = admitCall(newCallUsage('com_1'), request, { ...LIMITS, simultaneousCalls: 1 }, time);
    expect(admitCall(one.usage, request, { ...LIMITS, simultaneousCalls: 1, callsPerMinute: 1 }, time)).toEqual({
      usage: one.usage,
      refused: null,
    });
  });

  it('a call is admitted again when one has ended', () => {
    const { usage } = run({}, [[0, ADA]]);
    const free = removeCalls(usage, ({ callId }) => callId === usage.admitted[0]?.callId);
    expect(run({ simultaneousCalls: 1 }, [[1, ADA]], free).outcomes).toEqual(['admitted']);
    expect(removeCalls(free, () => false)).toBe(free);
  });

  it('a call is admitted after the clock was put back, whatever was counted in the future', () => {
    const { usage } = run({}, [[3600, null]]);
    expect(run({ callsPerMinute: 1 }, [[0, null]], usage).outcomes).toEqual(['admitted']);
  });

  it('a call is refused without a change of what is counted', () => {
    const { usage } = run({}, [[0, null]]);
    const { usage: after, outcomes } = run({ callsPerMinute: 1 }, [[1, null]], usage);
    expect(outcomes).toEqual(['callsPerMinute']);
    expect(after).toBe(usage);
  });
});

it('the time until which a minute is full is known', () => {
  const { usage } = run({}, [
    [0, null],
    [10, null],
    [20, null],
  ]);
  const at = (callsPerMinute: number) =>
    admitCall(
      usage,
      { callId: 'cal_new', employeeId: null },
      { ...LIMITS, callsPerMinute },
      { now: new Date(NOW + 30_000), machineMs: 0 },
    ).refused;
  expect(at(3)).toEqual({ limit: 'callsPerMinute', until: NOW + 60_000 });
  expect(at(2)).toEqual({ limit: 'callsPerMinute', until: NOW + 70_000 });
  expect(at(0)).toEqual({ limit: 'callsPerMinute', until: Infinity });
});

it('many calls a minute are counted in a bounded document, never too few of them', () => {
  const calls = Array.from({ length: 3000 }, (_, index): [number, null] => [index * 0.02, null]);
  const { usage, outcomes } = run({ callsPerMinute: 2500, simultaneousCalls: 10_000 }, calls);
  expect(outcomes.filter((outcome) => outcome === 'admitted')).toHaveLength(2500);
  expect(usage.starts.length).toBeLessThanOrEqual(61);
});

describe('refused calls', () => {
  const count = (usage: CallUsage, secs: number) =>
    reportRefused(usage, { limit: 'simultaneousCalls', count: 2 }, new Date(NOW + secs * 1000));

  it('refused calls are one event an hour, with all that were refused since the last', () => {
    const first = count(newCallUsage('com_1'), 0);
    expect(first.events).toMatchObject([{ limit: 'simultaneousCalls', refused: 2, companyId: 'com_1' }]);
    const second = count(first.usage, 10);
    expect(second.events).toEqual([]);
    expect(count(second.usage, 3599).events).toEqual([]);
    expect(count(second.usage, 3600).events).toMatchObject([{ refused: 4 }]);
  });

  it('refused calls are reported after the clock was put back', () => {
    const { usage } = count(newCallUsage('com_1'), 7200);
    expect(mayReport(usage, new Date(NOW))).toBe(true);
  });
});
