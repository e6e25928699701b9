/**
 * The usual pattern of the calls that a company places, and those of the present hour. Decaying averages keep it small, unlike a
 * history.
 */
export interface CallPattern {
  /** The present hour, counted from 1970. */
  readonly hour: number;
  /** Outbound calls of the present hour. */
  readonly placed: number;
  /** Those of them whose conversation was short. */
  readonly short: number;
  /** Countries called for the first time within this hour. */
  readonly newCountries: readonly string[];
  /** Averages of the hours before, with a half-life of a week. */
  readonly usual: { readonly placed: number; readonly short: number };
  /** The number of all outbound calls so far. */
  readonly placedEver: number;
  /** Countries that were called before, and the day of the last time, counted from 1970. */
  readonly countries: Readonly<Record<string, number>>;
  /** When an alarm of a kind was last raised. */
  readonly raisedAt: Readonly<Partial<Record<AlarmKind, Date>>>;
}

export const alarmKinds = ['new_countries', 'volume', 'short_calls'] as const;

export type AlarmKind = (typeof alarmKinds)[number];

/** The calls of a company differ from its usual ones. */
export interface PatternAlarm {
  readonly kind: AlarmKind;
  /** Their number in this hour. */
  readonly count: number;
  readonly countries: readonly string[];
}

export interface PlacedCall {
  /** Null for a number of no country. */
  readonly country: string | null;
}

/** A company has no usual calls before this many. */
const CALLS_BEFORE_ALARMS = 20;
/** So many countries that were never called before, in one hour. */
const NEW_COUNTRIES = 3;
/** So many calls in one hour, if they are this many times the usual number. */
const VOLUME_MIN = 60;
const SHORT_CALLS_MIN = 30;
const TIMES_USUAL = 5;
/** A conversation of less than this is short. */
export const SHORT_CALL_SECS = 10;
const HOUR_MS = 3_600_000;
const HALF_LIFE_HOURS = 7 * 24;
/** A country that was not called for this long is new again. */
const FORGOTTEN_DAYS = 180;
const RAISED_EVERY_MS = 24 * HOUR_MS;

/** Counts an outbound call; the alarms that follow from it. */
export function countPlacedCall(
  current: CallPattern | null,
  { country }: PlacedCall,
  now: Date,
): { readonly pattern: CallPattern; readonly alarms: readonly PatternAlarm[] } {
  const before = inHourOf(current ?? newPattern(now), now);
  const day = Math.floor(before.hour / 24);
  const isNew = country !== null && !Object.hasOwn(before.countries, country);
  const pattern = {
    ...before,
    placed: before.placed + 1,
    placedEver: before.placedEver + 1,
    newCountries: isNew ? [...before.newCountries, country] : before.newCountries,
    ...(country !== null && { countries: { ...before.countries, [country]: day } }),
  };
  return raise(pattern, now);
}

/** Counts conversations that were short. They are counted with the next call that is placed, so no alarm follows yet. */
export function countShortCalls(current: CallPattern, count: number, now: Date): CallPattern {
  const before = inHourOf(current, now);
  return { ...before, short: before.short + count };
}

function newPattern(now: Date): CallPattern {
  return {
    hour: hourOf(now),
    placed: 0,
    short: 0,
    newCountries: [],
    usual: { placed: 0, short: 0 },
    placedEver: 0,
    countries: {},
    raisedAt: {},
  };
}

/** After its end the hour is added to the averages. A clock that was set back continues in the later hour. */
function inHourOf(pattern: CallPattern, now: Date): CallPattern {
  const hours = hourOf(now) - pattern.hour;
  if (hours === 0) return pattern;
  if (hours < 0) return { ...pattern, hour: hourOf(now) };
  const weight = 1 - 0.5 ** (1 / HALF_LIFE_HOURS);
  // The hours since the last one were without calls.
  const kept = 0.5 ** ((hours - 1) / HALF_LIFE_HOURS);
  const faded = (usual: number, last: number) => kept * (usual + (last - usual) * weight);
  const oldest = Math.floor(hourOf(now) / 24) - FORGOTTEN_DAYS;
  return {
    ...pattern,
    hour: hourOf(now),
    placed: 0,
    short: 0,
    newCountries: [],
    usual: {
      placed: faded(pattern.usual.placed, pattern.placed),
      short: faded(pattern.usual.short, pattern.short),
    },
    countries: Object.fromEntries(Object.entries(pattern.countries).filter(([, day]) => day > oldest)),
  };
}

function raise(pattern: CallPattern, now: Date) {
  const { placed, short, newCountries, usual, placedEver } = pattern;
  const isUnusual = (count: number, min: number, often: number) => count >= min && count > often * TIMES_USUAL;
  const found: PatternAlarm[] = [];
  if (placedEver > CALLS_BEFORE_ALARMS && newCountries.length >= NEW_COUNTRIES)
    found.push({ kind: 'new_countries', count: newCountries.length, countries: newCountries });
  if (isUnusual(placed, VOLUME_MIN, usual.placed)) found.push({ kind: 'volume', count: placed, countries: [] });
  if (isUnusual(short, SHORT_CALLS_MIN, usual.short)) found.push({ kind: 'short_calls', count: short, countries: [] });
  const alarms = found.filter(({ kind }) => isDue(pattern.raisedAt[kind], now));
  if (alarms.length === 0) return { pattern, alarms };
  const raisedAt = { ...pattern.raisedAt, ...Object.fromEntries(alarms.map(({ kind }) => [kind, now])) };
  return { pattern: { ...pattern, raisedAt }, alarms };
}

function isDue(raisedAt: Date | undefined, now: Date): boolean {
  return raisedAt === undefined || Math.abs(now.getTime() - raisedAt.getTime()) >= RAISED_EVERY_MS;
}

function hourOf(time: Date): number {
  return Math.floor(time.getTime() / HOUR_MS);
}
