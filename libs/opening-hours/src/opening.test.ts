import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import {
  type BusinessHoursEntry,
  type Closure,
  DEFAULT_BUSINESS_HOURS,
  minuteOfDay,
  type Schedule,
} from './business-hours.ts';
import { localTimeText, nextChange, openingAt } from './opening.ts';

/** A week in which every day is alike. */
function everyDay(openingAt: string, closingAt: string, open = true): BusinessHoursEntry[] {
  return Array.from({ length: 7 }, (_, dayOfWeek) => ({ dayOfWeek, open, openingAt, closingAt }));
}

const isOpen = (hours: readonly BusinessHoursEntry[], zone: string, at: string) =>
  openingAt({ businessHours: hours, timezone: zone, closures: [] }, new Date(at)).open;

describe('opening hours', () => {
  it.each([
    ['Monday morning, before nine', '2026-01-05T07:59:59.999Z', false],
    ['Monday, nine sharp', '2026-01-05T08:00:00Z', true],
    ['Monday, the last moment before five', '2026-01-05T15:59:59.999Z', true],
    ['Monday, five sharp', '2026-01-05T16:00:00Z', false],
    ['Friday noon', '2026-01-09T11:00:00Z', true],
    ['Saturday noon', '2026-01-10T11:00:00Z', false],
    ['Sunday noon', '2026-01-11T11:00:00Z', false],
    ['a summer Monday, nine by summer time', '2026-07-06T07:00:00Z', true],
  ])('a new number in Copenhagen is open or closed as its hours say: %s', (_, at, open) => {
    expect(isOpen(DEFAULT_BUSINESS_HOURS, 'Europe/Copenhagen', at)).toBe(open);
  });

  it.each([
    ['the last moment of the day is open until 24:00', everyDay('00:00', '24:00'), '2026-01-05T22:59:59.999Z', true],
    ['the first moment of the next day belongs to that day', everyDay('08:00', '24:00'), '2026-01-05T23:00:00Z', false],
    ['a closed day is closed whatever its times', everyDay('00:00', '24:00', false), '2026-01-05T12:00:00Z', false],
  ])('%s', (_, hours, at, open) => {
    expect(isOpen(hours, 'Europe/Copenhagen', at)).toBe(open);
  });

  it.each([
    // On 29 March 2026 the clocks go from 02:00 to 03:00 at 01:00 UTC.
    ['before the skipped hour', everyDay('02:00', '03:00'), '2026-03-29T00:59:59.999Z', false],
    ['an hour that is skipped is never open', everyDay('02:00', '03:00'), '2026-03-29T01:00:00Z', false],
    ['what opens within the skipped hour opens at its end', everyDay('02:30', '04:00'), '2026-03-29T01:00:00Z', true],
    // On 25 October 2026 the clocks go from 03:00 back to 02:00 at 01:00 UTC.
    ['an hour that is repeated is open the first time', everyDay('02:00', '03:00'), '2026-10-25T00:30:00Z', true],
    ['an hour that is repeated is open the second time', everyDay('02:00', '03:00'), '2026-10-25T01:30:00Z', true],
    ['and closed after that', everyDay('02:00', '03:00'), '2026-10-25T02:00:00Z', false],
  ])('opening hours hold across changes of the clocks: %s', (_, hours, at, open) => {
    expect(isOpen(hours, 'Europe/Copenhagen', at)).toBe(open);
  });

  it('opening hours take the weekday from the number’s own zone', () => {
    // Monday 10:30 in Auckland is still Sunday in Copenhagen.
    expect(isOpen(DEFAULT_BUSINESS_HOURS, 'Pacific/Auckland', '2026-01-04T21:30:00Z')).toBe(true);
    expect(isOpen(DEFAULT_BUSINESS_HOURS, 'Europe/Copenhagen', '2026-01-04T21:30:00Z')).toBe(false);
  });

  it('opening hours show the instant by the zone’s clocks', () => {
    const opening = openingAt(
      { businessHours: DEFAULT_BUSINESS_HOURS, timezone: 'America/New_York', closures: [] },
      new Date('2026-07-06T12:34:56.789Z'),
    );
    expect(localTimeText(opening)).toBe('2026-07-06T08:34:56-04:00');
  });
});

describe('the next change of opening hours', () => {
  it.each([
    ['closes this afternoon', DEFAULT_BUSINESS_HOURS, '2026-01-05T12:00:00Z', '2026-01-05T16:00:00.000Z'],
    ['opens after the weekend', DEFAULT_BUSINESS_HOURS, '2026-01-09T16:00:00Z', '2026-01-12T08:00:00.000Z'],
    ['opens where a skipped hour ends', everyDay('02:30', '04:00'), '2026-03-29T00:00:00Z', '2026-03-29T01:00:00.000Z'],
    ['is not at midnight between two whole days', everyDay('00:00', '24:00'), '2026-01-05T12:00:00Z', undefined],
    ['never comes when every day is closed', everyDay('09:00', '17:00', false), '2026-01-05T12:00:00Z', undefined],
  ])('the next change of opening hours %s', (_, hours, at, change) => {
    expect(nextChange(copenhagen({ businessHours: hours }), new Date(at))?.toISOString()).toBe(change);
  });
});

const copenhagen = (more: Partial<Schedule>): Schedule => ({
  timezone: 'Europe/Copenhagen',
  businessHours: DEFAULT_BUSINESS_HOURS,
  closures: [],
  ...more,
});
const closure = (from: string, to: string, name = 'Holiday') => ({ id: `clo_${from}`, name, from, to });

describe('breaks', () => {
  const businessHours = everyDay('09:00', '17:00').map((entry) => ({
    ...entry,
    breaks: [
      { from: '10:00', to: '10:15' },
      { from: '12:00', to: '13:00' },
    ],
  }));
  const at = (time: string) => openingAt(copenhagen({ businessHours }), new Date(`2026-01-05T${time}+01:00`));

  it.each([
    ['11:59:59.999', true, null],
    ['12:00:00', false, { from: '12:00', to: '13:00' }],
    ['12:59:59.999', false, { from: '12:00', to: '13:00' }],
    ['13:00:00', true, null],
    ['08:00:00', false, null],
    ['10:05:00', false, { from: '10:00', to: '10:15' }],
  ])('a number with breaks is open at %s: %j', (time, open, currentBreak) => {
    expect(at(time)).toMatchObject({ open, currentBreak });
  });

  it('breaks end and begin as the next change', () => {
    const next = (time: string) =>
      nextChange(copenhagen({ businessHours }), new Date(`2026-01-05T${time}+01:00`))?.toISOString();
    expect(next('10:20:00')).toBe('2026-01-05T11:00:00.000Z');
    expect(next('12:20:00')).toBe('2026-01-05T12:00:00.000Z');
  });

  it('breaks that begin in an hour the clocks skip begin where it ends', () => {
    const night = copenhagen({
      businessHours: everyDay('00:00', '06:00').map((entry) => ({
        ...entry,
        breaks: [{ from: '02:30', to: '04:00' }],
      })),
    });
    expect(openingAt(night, new Date('2026-03-29T00:59:59.999Z')).open).toBe(true);
    expect(openingAt(night, new Date('2026-03-29T01:00:00Z')).open).toBe(false);
    expect(nextChange(night, new Date('2026-03-29T00:00:00Z'))?.toISOString()).toBe('2026-03-29T01:00:00.000Z');
  });
});

describe('closures', () => {
  const newYear = closure('2026-12-24', '2027-01-03', 'Between the years');
  const schedule = copenhagen({ businessHours: everyDay('00:00', '24:00'), closures: [newYear] });

  it.each([
    ['the last moment before it', '2026-12-23T22:59:59.999Z', true],
    ['midnight of its first day, by the clocks of the number', '2026-12-23T23:00:00Z', false],
    ['the turn of the year', '2026-12-31T23:00:00Z', false],
    ['the last moment of its last day', '2027-01-03T22:59:59.999Z', false],
    ['midnight after it', '2027-01-03T23:00:00Z', true],
    ['the same days of the next year', '2027-12-25T12:00:00Z', true],
  ])('closures decide whether a number is open: %s', (_, at, open) => {
    expect(openingAt(schedule, new Date(at))).toMatchObject({ open, closure: open ? null : newYear });
  });

  it('closures begin and end as the next change, however far away', () => {
    expect(nextChange(schedule, new Date('2026-02-01T12:00:00Z'))?.toISOString()).toBe('2026-12-23T23:00:00.000Z');
    expect(nextChange(schedule, new Date('2026-12-28T12:00:00Z'))?.toISOString()).toBe('2027-01-03T23:00:00.000Z');
    expect(nextChange(schedule, new Date('2027-02-01T12:00:00Z'))).toBeUndefined();
  });

  it('closures that follow each other are one pause', () => {
    const closures = [closure('2026-04-02', '2026-04-03'), closure('2026-04-04', '2026-04-06')];
    const change = nextChange(copenhagen({ closures }), new Date('2026-04-02T12:00:00Z'));
    expect(change?.toISOString()).toBe('2026-04-07T07:00:00.000Z');
  });

  it('closures name the one that lasts longest where several apply', () => {
    const closures = [closure('2026-04-01', '2026-04-30', 'April'), closure('2026-04-03', '2026-04-03', 'Good Friday')];
    expect(openingAt(copenhagen({ closures }), new Date('2026-04-03T12:00:00Z')).closure?.name).toBe('April');
  });
});

describe('the next change with many closures', () => {
  const CALLS_MAX = 100;
  const breaks = ['10:00', '12:00', '14:00', '16:00'].map((from) => ({ from, to: `${from.slice(0, 2)}:30` }));
  const days = (first: string, count: number, apart: number, length = 1) =>
    Array.from({ length: count }, (_, index) => {
      const from = Temporal.PlainDate.from(first).add({ days: index * apart });
      return closure(from.toString(), from.add({ days: length - 1 }).toString());
    });
  const covered = [
    { from: '09:00', to: '12:00' },
    { from: '12:00', to: '17:00' },
  ];
  const withBreaks = everyDay('09:00', '17:00').map((entry) => ({ ...entry, breaks }));
  const onlyBreaks = everyDay('09:00', '17:00').map((entry) => ({ ...entry, breaks: covered }));
  const onlyMondays = withBreaks.map((entry) => ({ ...entry, open: entry.dayOfWeek === 0 }));

  it.each<[string, BusinessHoursEntry[], Closure[], string | undefined]>([
    [
      'of which one covers all others',
      withBreaks,
      [closure('2000-01-01', '2100-12-31'), ...days('2026-02-01', 199, 1)],
      '2101-01-01T08:00:00.000Z',
    ],
    ['on every open day', onlyMondays, days('2026-01-05', 200, 7), '2029-11-05T08:00:00.000Z'],
    ['in a line that is never open', onlyBreaks, days('2026-01-05', 200, 8), undefined],
    [
      'far away, in a line that is always open',
      everyDay('00:00', '24:00'),
      days('2090-01-05', 200, 2),
      '2090-01-04T23:00:00.000Z',
    ],
  ])('the next change with many closures %s is found by few questions', (_, businessHours, closures, expected) => {
    let calls = 0;
    const change = nextChange(copenhagen({ businessHours, closures }), new Date('2026-01-05T12:00:00Z'), (...asked) => {
      calls++;
      return openingAt(...asked);
    });
    expect(change?.toISOString()).toBe(expected);
    expect(calls).toBeGreaterThan(0);
    expect(calls).toBeLessThan(CALLS_MAX);
  });

  it('the next change with many closures is found in the week after the one whose only opening time the clocks skip', () => {
    const businessHours = everyDay('02:00', '03:00').map((entry) => ({ ...entry, open: entry.dayOfWeek === 6 }));
    // On Sunday the 29th the clocks go from two to three.
    const change = nextChange(copenhagen({ businessHours }), new Date('2026-03-23T12:00:00Z'));
    expect(change?.toISOString()).toBe('2026-04-05T00:00:00.000Z');
  });
});

const minute = fc.integer({ min: 0, max: 1439 });
const clockTime = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;

/** Up to two breaks, which divide the opening time by distinct minutes. */
const day = fc
  .tuple(fc.boolean(), minute, fc.integer({ min: 1, max: 1440 }), fc.array(fc.nat(1440), { maxLength: 4 }))
  .map(([open, start, length, cuts]) => {
    const end = Math.min(start + length, 1440);
    const inside = [...new Set(cuts.map((cut) => start + (cut % (end - start + 1))))].sort((a, b) => a - b);
    const breaks = Array.from({ length: Math.floor(inside.length / 2) }, (_, index) => ({
      from: clockTime(inside[index * 2] ?? 0),
      to: clockTime(inside[index * 2 + 1] ?? 0),
    }));
    return { open, openingAt: clockTime(start), closingAt: clockTime(end), breaks };
  });

const week = fc
  .array(day, { minLength: 7, maxLength: 7 })
  .map((days) => days.map((entry, dayOfWeek) => ({ dayOfWeek, ...entry })));

const zone = fc.constantFrom(...Intl.supportedValuesOf('timeZone'));

/** Anywhere within forty years, and as often in the weeks in which clocks are changed somewhere. */
const instant = fc.oneof(
  fc.date({ min: new Date('2000-01-01'), max: new Date('2040-01-01'), noInvalidDate: true }),
  fc
    .tuple(fc.integer({ min: 2000, max: 2039 }), fc.constantFrom(2, 3, 8, 9, 10), fc.nat(31 * 86_400_000))
    .map(([year, month, within]) => new Date(Date.UTC(year, month, 1) + within)),
);

/** Days from the instant to the first day of a closure, and to its last. */
const closureDays = fc.array(fc.tuple(fc.integer({ min: -3, max: 12 }), fc.nat(3)), { maxLength: 2 });

const DAY_MS = 86_400_000;
const dateAfter = (at: Date, days: number) => new Date(at.getTime() + days * DAY_MS).toISOString().slice(0, 10);

const schedule = fc.tuple(week, zone, instant, closureDays).map(([businessHours, timezone, at, days]) => ({
  at,
  schedule: {
    businessHours,
    timezone,
    closures: days.map(([first, length]) => closure(dateAfter(at, first), dateAfter(at, first + length))),
  },
}));

const formats = new Map<string, Intl.DateTimeFormat>();
const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** The same question answered without our own code: the runtime writes the local time, and it is read from there. */
function openByRuntime({ businessHours, timezone: timeZone, closures }: Schedule, at: Date): boolean {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en-US', {
      timeZone,
      weekday: 'short',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
  formats.set(timeZone, format);
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
  const date = `${parts['year']}-${parts['month']}-${parts['day']}`;
  if (closures.some(({ from, to }) => from <= date && date <= to)) return false;
  const entry = businessHours.find(({ dayOfWeek }) => dayOfWeek === WEEKDAYS.indexOf(parts['weekday'] ?? ''));
  const local = `${parts['hour']}:${parts['minute']}`;
  return (
    entry !== undefined &&
    entry.open &&
    entry.openingAt <= local &&
    local < entry.closingAt &&
    !entry.breaks?.some(({ from, to }) => from <= local && local < to)
  );
}

describe('ten thousand schedules and instants', () => {
  it('ten thousand schedules and instants are open exactly when the runtime’s own calendar is', () => {
    let open = 0;
    fc.assert(
      fc.property(schedule, ({ schedule: hours, at }) => {
        const answer = openingAt(hours, at).open;
        open += Number(answer);
        expect(answer).toBe(openByRuntime(hours, at));
      }),
      { numRuns: 10_000 },
    );
    // Both results must be common, otherwise the comparison proves little.
    expect(open).toBeGreaterThan(700);
    expect(open).toBeLessThan(9000);
  });

  it('ten thousand schedules and instants change next exactly when predicted', () => {
    fc.assert(
      fc.property(schedule, fc.double({ min: 0, max: 1, noNaN: true }), ({ schedule: hours, at }, part) => {
        const now = openByRuntime(hours, at);
        const change = nextChange(hours, at);
        const end = change?.getTime() ?? at.getTime() + 28 * DAY_MS;
        const between = new Date(at.getTime() + Math.floor((end - 1 - at.getTime()) * part));
        expect(openByRuntime(hours, between)).toBe(now);
        if (change) expect(openByRuntime(hours, change)).toBe(!now);
      }),
      { numRuns: 600 },
    );
  });
});

describe('a time of day', () => {
  it.each([
    ['00:00', 0],
    ['09:05', 545],
    ['24:00', 1440],
  ])('the time %s is minute %i', (time, minutes) => {
    expect(minuteOfDay(time)).toBe(minutes);
  });
});
