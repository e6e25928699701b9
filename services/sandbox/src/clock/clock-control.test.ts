import { describe, expect, it } from '@jest/globals';
import { movableClock } from '@parley/clock';
import { type ClockMembers, ClockNotSettled, createClockControl, isSettled, type Round } from './clock-control.ts';

const report = (instance: string, busy: number, finished: number) => ({ instance, service: instance, busy, finished });

describe('a round of reports', () => {
  const idle = [report('a', 0, 3), report('b', 0, 5)];
  it.each<[string, Round | undefined, Round, boolean]>([
    ['the first one', undefined, idle, false],
    ['the same again', idle, idle, true],
    ['the same in another order', idle, idle.toReversed(), true],
    ['no members, twice', [], [], true],
    ['a member is busy now', idle, [report('a', 1, 3), report('b', 0, 5)], false],
    ['a member was busy before', [report('a', 1, 3), report('b', 0, 5)], idle, false],
    ['work finished in between', [report('a', 0, 2), report('b', 0, 5)], idle, false],
    ['as much finished by one as another forgot', [report('a', 0, 4), report('b', 0, 4)], idle, false],
    ['a new member', [report('a', 0, 3)], idle, false],
    ['a member left', idle, [report('a', 0, 3)], false],
  ])('a round of reports is compared with the one before: %s', (_name, previous, current, settled) => {
    expect(isSettled(previous, current)).toBe(settled);
  });
});

/** Members that give the rounds of a script, the last one repeating, while real time passes a second a round. */
function scripted(rounds: Round[], members: Partial<ClockMembers> = {}) {
  const clock = movableClock({ now: () => new Date('2026-01-01T00:00:00.000Z') });
  const offsets: number[] = [];
  let polls = 0;
  let elapsedMs = 0;
  const control = createClockControl({
    clock,
    limitMs: 10_000,
    elapsedMs: () => elapsedMs,
    pause: async () => void (elapsedMs += 1000),
    members: {
      set: async (offsetMs) => void offsets.push(offsetMs),
      report: async () => rounds[Math.min(polls++, rounds.length - 1)] ?? [],
      ...members,
    },
  });
  return { control, clock, offsets, polls: () => polls };
}

describe('moving the test clock with a telephone network', () => {
  const idle = [report('a', 0, 1)];

  /** A network in which things are due at some offsets of the clock. */
  function networkDueAt(...dueMs: number[]) {
    const clock = movableClock({ now: () => new Date('2026-01-01T00:00:00.000Z') });
    const order: string[] = [];
    const control = createClockControl({
      clock,
      pause: async () => undefined,
      members: { set: async (offsetMs) => void order.push(`services at ${offsetMs}`), report: async () => idle },
      network: {
        nextDueInMs: () => (dueMs.length > 0 ? Math.max(0, Math.min(...dueMs) - clock.offsetMs()) : undefined),
        fireDue() {
          for (const due of dueMs.filter((ms) => ms <= clock.offsetMs())) {
            order.push(`network at ${due}`);
            dueMs.splice(dueMs.indexOf(due), 1);
          }
        },
        report: () => ({ busy: 0, finished: order.length }),
      },
    });
    return { control, order, dueMs };
  }

  it('moving the test clock with a telephone network stops wherever something is due there, after the services have moved', async () => {
    const { control, order } = networkDueAt(3000, 10_000);
    await control.advance(20);
    expect(order).toEqual([
      'services at 3000',
      'network at 3000',
      'services at 10000',
      'network at 10000',
      'services at 20000',
    ]);
  });

  it('moving the test clock with a telephone network leaves what is due later', async () => {
    const { control, order, dueMs } = networkDueAt(30_500);
    await control.advance(30);
    expect([order, dueMs]).toEqual([['services at 30000'], [30_500]]);
  });

  it('moving the test clock with a telephone network does not stop forever', async () => {
    const { control, order } = networkDueAt(...Array.from({ length: 500 }, (_, index) => (index + 1) * 10));
    await control.advance(60);
    expect(order.filter((line) => line.startsWith('network'))).toHaveLength(500);
    expect(order.filter((line) => line.startsWith('services')).length).toBeLessThan(50);
  });
});

describe('moving the test clock', () => {
  const idle = [report('a', 0, 1)];

  it('moving the test clock answers the new time after two idle rounds in which nothing was finished', async () => {
    const { control, offsets, polls } = scripted([[report('a', 2, 0)], [report('a', 0, 2)], [report('a', 0, 3)]]);
    expect((await control.advance(90.5)).toISOString()).toBe('2026-01-01T00:01:30.500Z');
    expect(offsets).toEqual([90_500]);
    expect(polls()).toBe(6);
  });

  it('moving the test clock waits for work in progress before the clock moves', async () => {
    const order: string[] = [];
    const rounds = [[report('a', 1, 0)], [report('a', 0, 1)], [report('a', 0, 1)]];
    const { control } = scripted([], {
      set: async () => void order.push('set'),
      report: async () => {
        const round = rounds[Math.min(order.length, rounds.length - 1)] ?? [];
        order.push(`busy ${round[0]?.busy}`);
        return round;
      },
    });
    await control.advance(1);
    expect(order.slice(0, 4)).toEqual(['busy 1', 'busy 0', 'busy 0', 'set']);
  });

  it('moving the test clock continues from the current time, one move after the other', async () => {
    const order: string[] = [];
    const { control } = scripted([idle], {
      set: async (offsetMs) => void order.push(`set ${offsetMs}`),
      report: async () => {
        order.push('report');
        return idle;
      },
    });
    const times = await Promise.all([control.advance(10), control.advance(5)]);
    expect(times.map((time) => time.toISOString())).toEqual(['2026-01-01T00:00:10.000Z', '2026-01-01T00:00:15.000Z']);
    const settled = ['report', 'report'];
    expect(order).toEqual([...settled, 'set 10000', ...settled, ...settled, 'set 15000', ...settled]);
  });

  it('moving the test clock goes back, also before real time, and returns from there', async () => {
    const { control, offsets } = scripted([idle]);
    expect((await control.rewind(90)).toISOString()).toBe('2025-12-31T23:58:30.000Z');
    await control.advance(30);
    await control.reset();
    expect(offsets).toEqual([-90_000, -60_000, 0]);
  });

  it('a reset moves the test clock even at real time, for data that an earlier run has left in the future', async () => {
    const { control, clock, offsets } = scripted([idle]);
    await control.reset();
    expect(offsets).toEqual([1, 0]);
    expect(clock.offsetMs()).toBe(0);
  });

  it('moving the test clock returns to real time and settles there too', async () => {
    const { control, clock, offsets, polls } = scripted([idle]);
    await control.advance(3600);
    await control.reset();
    expect(clock.offsetMs()).toBe(0);
    expect(offsets).toEqual([3_600_000, 0]);
    expect(polls()).toBe(6);
  });

  it('moving the test clock reports busy members at the time limit, and the next move still works', async () => {
    const stuck = [report('a', 0, 1), report('b', 3, 1)];
    const rounds = Array.from({ length: 19 }, () => stuck);
    const { control } = scripted([...rounds, idle]);
    const failure = await control.advance(1).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ClockNotSettled);
    expect((failure as ClockNotSettled).busy).toEqual([report('b', 3, 1)]);
    expect((await control.advance(1)).toISOString()).toBe('2026-01-01T00:00:02.000Z');
  });

  it('moving the test clock does not pass off endless work as settled', async () => {
    let finished = 0;
    const { control } = scripted([], { report: async () => [report('a', 0, finished++)] });
    await expect(control.advance(1)).rejects.toThrow('work keeps coming');
  });

  it('moving the test clock keeps the time when no member could be reached', async () => {
    const { control, clock } = scripted([idle], { set: () => Promise.reject(new Error('no broker')) });
    await expect(control.advance(60)).rejects.toThrow('no broker');
    expect(clock.offsetMs()).toBe(0);
  });
});
