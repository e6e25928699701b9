import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type BusinessHoursEntry, DEFAULT_BUSINESS_HOURS, minuteOfDay } from './business-hours.ts';
import { localTimeText, nextChange, openingAt } from './opening.ts';

/** A week in which every day is alike. */
function everyDay(openingAt: string, closingAt: string, open = true): BusinessHoursEntry[] {
  return Array.from({ length: 7 }, (_, dayOfWeek) => ({ dayOfWeek, open, openingAt, closingAt }));
}

const isOpen = (hours: readonly BusinessHoursEntry[], zone: string, at: string) =>
  openingAt(hours, zone, new Date(at)).open;

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
  ])('of a new number in Copenhagen: %s', (_, at, open) => {
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
  ])('across changes of the clocks: %s', (_, hours, at, open) => {
    expect(isOpen(hours, 'Europe/Copenhagen', at)).toBe(open);
  });

  it('take the weekday from the number’s own zone', () => {
    // Monday 10:30 in Auckland is still Sunday in Copenhagen.
    expect(isOpen(DEFAULT_BUSINESS_HOURS, 'Pacific/Auckland', '2026-01-04T21:30:00Z')).toBe(true);
    expect(isOpen(DEFAULT_BUSINESS_HOURS, 'Europe/Copenhagen', '2026-01-04T21:30:00Z')).toBe(false);
  });

  it('show the instant by the zone’s clocks', () => {
    const opening = openingAt(DEFAULT_BUSINESS_HOURS, 'America/New_York', new Date('2026-07-06T12:34:56.789Z'));
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
  ])('%s', (_, hours, at, change) => {
    expect(nextChange(hours, 'Europe/Copenhagen', new Date(at))?.toISOString()).toBe(change);
  });
});

const minute = fc.integer({ min: 0, max: 1439 });
const clockTime = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;

const schedule = fc
  .array(fc.tuple(fc.boolean(), minute, fc.integer({ min: 1, max: 1440 })), { minLength: 7, maxLength: 7 })
  .map((days) =>
    days.map(([open, start, length], dayOfWeek) => ({
      dayOfWeek,
      open,
      openingAt: clockTime(start),
      closingAt: clockTime(Math.min(start + length, 1440)),
    })),
  );

const zone = fc.constantFrom(...Intl.supportedValuesOf('timeZone'));

/** Anywhere within forty years, and as often in the weeks in which clocks are changed somewhere. */
const instant = fc.oneof(
  fc.date({ min: new Date('2000-01-01'), max: new Date('2040-01-01'), noInvalidDate: true }),
  fc
    .tuple(fc.integer({ min: 2000, max: 2039 }), fc.constantFrom(2, 3, 8, 9, 10), fc.nat(31 * 86_400_000))
    .map(([year, month, within]) => new Date(Date.UTC(year, month, 1) + within)),
);

const formats = new Map<string, Intl.DateTimeFormat>();
const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** The same question answered without our own code: the runtime writes the local time, and it is read from there. */
function openByRuntime(hours: readonly BusinessHoursEntry[], timeZone: string, at: Date): boolean {
  const options = { timeZone, weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('en-US', options);
  formats.set(timeZone, format);
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
  const day = hours.find(({ dayOfWeek }) => dayOfWeek === WEEKDAYS.indexOf(parts['weekday'] ?? ''));
  const local = `${parts['hour']}:${parts['minute']}`;
  return day !== undefined && day.open && day.openingAt <= local && local < day.closingAt;
}

describe('ten thousand schedules and instants', () => {
  it('are open exactly when the runtime’s own calendar is', () => {
    let open = 0;
    fc.assert(
      fc.property(schedule, zone, instant, (hours, timeZone, at) => {
        const answer = openingAt(hours, timeZone, at).open;
        open += Number(answer);
        expect(answer).toBe(openByRuntime(hours, timeZone, at));
      }),
      { numRuns: 10_000 },
    );
    // Both results must be common, otherwise the comparison proves little.
    expect(open).toBeGreaterThan(1000);
    expect(open).toBeLessThan(9000);
  });

  it('change next exactly when predicted', () => {
    fc.assert(
      fc.property(schedule, zone, instant, fc.double({ min: 0, max: 1, noNaN: true }), (hours, timeZone, at, part) => {
        const now = openByRuntime(hours, timeZone, at);
        const change = nextChange(hours, timeZone, at);
        const end = change?.getTime() ?? at.getTime() + 14 * 86_400_000;
        const between = new Date(at.getTime() + Math.floor((end - 1 - at.getTime()) * part));
        expect(openByRuntime(hours, timeZone, between)).toBe(now);
        if (change) expect(openByRuntime(hours, timeZone, change)).toBe(!now);
      }),
      { numRuns: 400 },
    );
  });
});

describe('a time of day', () => {
  it.each([
    ['00:00', 0],
    ['09:05', 545],
    ['24:00', 1440],
  ])('%s is minute %i', (time, minutes) => {
    expect(minuteOfDay(time)).toBe(minutes);
  });
});
