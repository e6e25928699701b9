import { ANY_CURRENCY, type Figure, readFigures } from './figures.ts';
import type { ClockTime } from './number-items.ts';

type NumberFigure = Extract<Figure, { kind: 'number' }>;

/** Shorter ones are amounts, not telephone numbers, and are compared by their value. */
const TELEPHONE_DIGITS_MIN = 5;
/** Hours that are after noon, where it is not said: nobody opens at five in the morning. */
const AFTERNOON_HOURS = { from: 1, to: 7 };
const NOON = 12 * 60;

/** Whether every number, price, time and date of a text is among these figures. */
export function figuresAreAmong(text: string, known: readonly Figure[], language: string): boolean {
  return readFigures(text, language).every((figure) => isAmong(figure, known));
}

/** Whether a figure is among others, written in figures or in words. */
export function isAmong(figure: Figure, known: readonly Figure[]): boolean {
  switch (figure.kind) {
    case 'weekday':
      return figure.days.every((day) => known.some((other) => other.kind === 'weekday' && other.days.includes(day)));
    case 'month':
      return known.some((other) => monthsOf(other).includes(figure.month));
    case 'date':
      return known.some(
        (other) =>
          other.kind === 'date' &&
          other.dates.some(({ day, month }) => figure.dates.some((date) => date.day === day && date.month === month)),
      );
    case 'number':
      return known.some((other) =>
        other.kind === 'number' ? isSameNumber(figure, other) : other.kind === 'date' && isDayOf(figure, other.dates),
      );
  }
}

function monthsOf(figure: Figure): readonly number[] {
  if (figure.kind === 'month') return [figure.month];
  return figure.kind === 'date' ? figure.dates.map(({ month }) => month) : [];
}

/** `the 24th`, of a date that was written with its month. */
function isDayOf({ isOrdinal, values }: NumberFigure, dates: readonly { readonly day: number }[]): boolean {
  return isOrdinal && dates.some(({ day }) => values.includes(day));
}

function isSameNumber(said: NumberFigure, known: NumberFigure): boolean {
  if (said.unit !== null && !isSameUnit(said.unit, known.unit)) return false;
  if (said.digits !== '' && said.digits === known.digits && said.values.length === 0 && said.times.length === 0)
    return true;
  if (said.unit !== null && said.values.length > 0) return haveCommon(said.values, known.values);
  if (said.isTime) return isSameTime(said.times, known.times);
  if (said.isHour && isSameTime(said.times, known.times)) return true;
  if (said.digits.length >= TELEPHONE_DIGITS_MIN && known.unit === null && known.digits.includes(said.digits))
    return true;
  // `nine thirty` is a time without a sign of it, and so is `9.30`.
  const isPair = said.values.length === 0 || said.times.some(({ minutes }) => minutes % 60 > 0);
  if (isPair && isSameTime(said.times, known.times)) return true;
  return haveCommon(said.values, known.values);
}

function isSameUnit(said: string, known: string | null): boolean {
  return said === known || (known === ANY_CURRENCY && said !== '%');
}

function isSameTime(said: readonly ClockTime[], known: readonly ClockTime[]): boolean {
  return said.some((time) => known.some((other) => mayBe(time, other)));
}

/** Where it is not said whether a time is before or after noon, it may be both. */
function mayBe(said: ClockTime, known: ClockTime): boolean {
  if (said.minutes === known.minutes) return true;
  if (Math.abs(said.minutes - known.minutes) !== NOON) return false;
  if (!said.isCertain) return true;
  const hour = Math.floor(known.minutes / 60);
  return !known.isCertain && hour >= AFTERNOON_HOURS.from && hour <= AFTERNOON_HOURS.to;
}

function haveCommon(said: readonly number[], known: readonly number[]): boolean {
  return said.some((value) => known.some((other) => Math.abs(value - other) < 0.000_001));
}
