import { type Closure, closureOn, minuteOfDay, nextChange, openingAt, openPeriods } from '@parley/opening-hours';
import { Temporal } from 'temporal-polyfill';
import type { NumberFacts } from '../engine.ts';
import { withFigures } from '../hearing/figures.ts';
import { spokenDay, spokenDays, spokenList, spokenTime } from '../speaking/spoken-figures.ts';
import { sentencesOf, vocabularyOf } from '../words/vocabularies.ts';
import type { SentenceKey } from '../words/sentences.ts';
import { type AskedDay, readDay } from './read-day.ts';
import { readTimeOfDay } from './read-time.ts';
import { isAlwaysOpen, spokenBreaks, spokenWeek } from './spoken-week.ts';

/** A sentence with what is filled in. */
export interface HoursSentence {
  readonly key: SentenceKey;
  readonly values: Readonly<Record<string, string>>;
}

const WHOLE_DAY = '00:00-24:00';
const SATURDAY = 6;
/** Closures that begin within so many days are told with the hours of the week. */
const CLOSURES_AHEAD_DAYS = 7;

/** Answers a question about opening hours from the hours, breaks and closures of the called number, by its own clocks. */
export function answerHours(plain: string, number: NumberFacts, now: Date, language: string): HoursSentence[] {
  const { hours, times } = vocabularyOf(language);
  const opening = openingAt(number, now);
  const today = opening.local.toPlainDate();
  const figures = withFigures(plain, language);
  const day = readDay(plain, today, number.closures, language);
  const time = readTimeOfDay(figures, language);
  const days = daysAnswer({ number, today, language });
  if (day.kind === 'closure') return [days.closure(day.closure)];
  if (day.kind === 'weekend') return days.weekend();
  if (hours.lunch.test(plain) && time === undefined) return [breakAnswer(number, day, today, language)];
  if (time !== undefined) return [days.at(day.kind === 'day' ? day.date : today, time, isDateCalled(day))];
  const closing = hours.closing.test(plain);
  if (closing || hours.opening.test(plain)) return borderAnswer({ number, now, language, day, closing });
  if (day.kind === 'day' && !(day.calledBy === 'today' && isAboutNow(plain, language)))
    return [days.on(day.date, isDateCalled(day))];
  if (isAboutNow(plain, language) || (day.kind === 'none' && times.now.test(plain)))
    return nowAnswer(number, now, language);
  return weekAnswer(number, now, language);
}

/** Whether a day or a time of day is in the sentence. */
export function namesTime(plain: string, number: NumberFacts, now: Date, language: string): boolean {
  const today = openingAt(number, now).local.toPlainDate();
  return (
    readDay(plain, today, number.closures, language).kind !== 'none' ||
    readTimeOfDay(withFigures(plain, language), language) !== undefined
  );
}

function isDateCalled(day: AskedDay): boolean {
  return day.kind === 'day' && day.calledBy === 'date';
}

/** "Are you open?" is about now, "what are your hours?" is not. */
function isAboutNow(plain: string, language: string): boolean {
  const { hours, times } = vocabularyOf(language);
  if (times.now.test(plain)) return true;
  return hours.yesNo.test(plain) && !hours.holiday.test(plain) && !hours.question[0]!.test(plain);
}

/** Hours of the week, breaks, and closures of the next days. */
export function weekAnswer(number: NumberFacts, now: Date, language: string): HoursSentence[] {
  const today = openingAt(number, now).local.toPlainDate();
  const week = spokenWeek(number.businessHours, language);
  if (week === undefined) return [{ key: 'hours_never', values: {} }];
  const until = today.add({ days: CLOSURES_AHEAD_DAYS }).toString();
  const closures = number.closures.filter(({ from, to }) => to >= today.toString() && from <= until).slice(0, 2);
  const { closure } = daysAnswer({ number, today, language });
  const breaks = spokenBreaks(number.businessHours, language);
  return [
    isAlwaysOpen(number.businessHours)
      ? { key: 'hours_always' as const, values: {} }
      : { key: 'hours_week' as const, values: { days: week } },
    ...(breaks === undefined ? [] : [{ key: 'hours_break' as const, values: { days: breaks } }]),
    ...closures.map(closure),
  ];
}

/** Whether it is open now, and until when, or from when on. */
export function nowAnswer(number: NumberFacts, now: Date, language: string): HoursSentence[] {
  const { open, currentBreak, local } = openingAt(number, now);
  const today = local.toPlainDate();
  const change = nextChange(number, now);
  const changesAt = change && localTime(change, number.timezone);
  const isToday = changesAt?.toPlainDate().equals(today) ?? false;
  const time = changesAt ? spokenTime(minutesOf(changesAt), language) : '';
  const last = periodsOn(number, today).at(-1);
  // A break follows: all openings of the day are told.
  if (open && last && changesAt && isToday && minutesOf(changesAt) < minuteOfDay(last[1]))
    return [{ key: 'open_now_with_break', values: { hours: spokenPeriods(periodsOn(number, today), language) } }];
  if (open) return [isToday ? { key: 'open_now', values: { time } } : { key: 'open_now_always', values: {} }];
  if (currentBreak) return [{ key: 'break_now', values: { time: spokenTime(minuteOfDay(currentBreak.to), language) } }];
  return [{ key: 'closed_now', values: {} }, ...opensAgain(number, now, language)];
}

function opensAgain(
  number: NumberFacts,
  after: Date,
  language: string,
  today = openingAt(number, after).local.toPlainDate(),
): HoursSentence[] {
  const change = nextChange(number, after);
  if (!change) return [];
  const at = localTime(change, number.timezone);
  const day = spokenDay(at.toPlainDate(), today, language);
  return [{ key: 'opens_again', values: { day, time: spokenTime(minutesOf(at), language) } }];
}

interface DaysContext {
  readonly number: NumberFacts;
  readonly today: Temporal.PlainDate;
  readonly language: string;
}

/** Answers about days. */
function daysAnswer({ number, today, language }: DaysContext) {
  const dayValues = (date: Temporal.PlainDate, withDate: boolean) => {
    const inDay = spokenDay(date, today, language, withDate);
    return { inDay, day: inDay.charAt(0).toUpperCase() + inDay.slice(1) };
  };
  function on(date: Temporal.PlainDate, withDate: boolean): HoursSentence {
    const closure = closureOn(number, date.toString());
    const values = dayValues(date, withDate);
    if (closure) return { key: 'closed_on_for', values: { ...values, name: closure.name } };
    const periods = periodsOn(number, date);
    if (periods.length === 0) return { key: 'closed_on', values };
    if (isWholeDay(periods)) return { key: 'open_whole_day', values };
    return { key: 'open_on', values: { ...values, hours: spokenPeriods(periods, language) } };
  }

  return {
    on,
    at(date: Temporal.PlainDate, minute: number, withDate: boolean): HoursSentence {
      const periods = periodsOn(number, date);
      if (closureOn(number, date.toString()) || periods.length === 0 || isWholeDay(periods)) return on(date, withDate);
      const isOpen = periods.some(([from, to]) => minuteOfDay(from) <= minute && minute < minuteOfDay(to));
      const values = { ...dayValues(date, withDate), hours: spokenPeriods(periods, language) };
      return { key: isOpen ? 'open_then' : 'closed_then', values };
    },
    weekend(): HoursSentence[] {
      const saturday = today.add({ days: (SATURDAY - today.dayOfWeek + 7) % 7 });
      const days = today.dayOfWeek === SATURDAY + 1 ? [today] : [saturday, saturday.add({ days: 1 })];
      return days.map((date) => on(date, false));
    },
    closure(closure: Closure): HoursSentence {
      const { from, to, name } = closure;
      const [first, last] = [Temporal.PlainDate.from(from), Temporal.PlainDate.from(to)];
      if (from === to) return on(first, true);
      return { key: 'closed_from_to', values: { name, days: spokenDays(first, last, language) } };
    },
  };
}

interface BorderQuestion {
  readonly number: NumberFacts;
  readonly now: Date;
  readonly language: string;
  readonly day: AskedDay;
  /** Otherwise when it opens. */
  readonly closing: boolean;
}

/** When it opens or closes on a day; without a day, when it does so next. */
function borderAnswer({ number, now, language, day, closing }: BorderQuestion): HoursSentence[] {
  const { local } = openingAt(number, now);
  const today = local.toPlainDate();
  const days = daysAnswer({ number, today, language });
  const date = day.kind === 'day' ? day.date : today;
  const periods = closureOn(number, date.toString()) ? [] : periodsOn(number, date);
  const minute = minutesOf(local);
  const [first, last] = [periods[0], periods.at(-1)];
  if (!first || !last || isWholeDay(periods))
    return [
      days.on(date, isDateCalled(day)),
      ...(day.kind === 'none' && periods.length === 0 ? opensAgain(number, now, language) : []),
    ];
  const inDay = spokenDay(date, today, language, isDateCalled(day));
  const values = { inDay, day: inDay.charAt(0).toUpperCase() + inDay.slice(1) };
  const isOver = date.equals(today) && minute >= minuteOfDay(last[1]);
  if (closing) {
    const time = spokenTime(minuteOfDay(last[1]), language);
    if (isOver) return [{ key: 'closed_already', values: { time } }, ...opensAgain(number, now, language)];
    return [{ key: 'closes_at', values: { ...values, time } }];
  }
  // "When do you open?", asked while it is open or over, is about the next time.
  const isPast = date.equals(today) && minute >= minuteOfDay(first[0]);
  if (isPast && day.kind === 'none')
    return isOver ? opensAgain(number, now, language) : weekAnswer(number, now, language);
  return [{ key: 'opens_at', values: { ...values, time: spokenTime(minuteOfDay(first[0]), language) } }];
}

function breakAnswer(number: NumberFacts, day: AskedDay, today: Temporal.PlainDate, language: string): HoursSentence {
  const entries =
    day.kind === 'day'
      ? number.businessHours.filter((_, index) => index === day.date.dayOfWeek - 1)
      : number.businessHours;
  if (day.kind === 'day' && (closureOn(number, day.date.toString()) || !entries[0]?.open))
    return daysAnswer({ number, today, language }).on(day.date, isDateCalled(day));
  const breaks = spokenBreaks(entries, language);
  return breaks === undefined
    ? { key: 'hours_no_break', values: {} }
    : { key: 'hours_break', values: { days: breaks } };
}

function spokenPeriods(periods: readonly (readonly [string, string])[], language: string): string {
  const { and, fromTo } = sentencesOf(language).parts;
  const time = (clock: string) => spokenTime(minuteOfDay(clock), language);
  return spokenList(
    periods.map(([from, to]) => fromTo.replace('{from}', time(from)).replace('{to}', time(to))),
    and,
  );
}

/** Openings of a day without its breaks. Breaks may cover all of it. */
function periodsOn({ businessHours }: NumberFacts, date: Temporal.PlainDate): [string, string][] {
  const entry = businessHours[date.dayOfWeek - 1];
  return entry ? openPeriods(entry) : [];
}

function isWholeDay(periods: readonly (readonly [string, string])[]): boolean {
  return periods.length === 1 && periods[0]!.join('-') === WHOLE_DAY;
}

function localTime(at: Date, timezone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timezone);
}

function minutesOf(local: { readonly hour: number; readonly minute: number }): number {
  return local.hour * 60 + local.minute;
}
