import type { Closure } from '@parley/opening-hours';
import { Temporal } from 'temporal-polyfill';
import { plainText } from '../hearing/heard-words.ts';
import { vocabularyOf } from '../words/vocabularies.ts';
import type { TimeWords } from '../words/vocabulary.ts';
import { holidayIn } from './holidays.ts';

/** The day that a question about opening hours is about. */
export type AskedDay =
  | { readonly kind: 'none' }
  /** `calledBy`: how it is said in the answer, beside its date where that is not obvious. */
  | {
      readonly kind: 'day';
      readonly date: Temporal.PlainDate;
      readonly calledBy: 'today' | 'tomorrow' | 'weekday' | 'date';
    }
  | { readonly kind: 'weekend' }
  /** A closure of several days, asked for by its name. */
  | { readonly kind: 'closure'; readonly closure: Closure };

const CLOSURE_WORD_LENGTH_MIN = 4;
const ORDINAL_FIGURE = /\b(\d{1,2})(?:st|nd|rd|th)\b/;
const FIGURE_AFTER_ARTICLE = /\b(?:den|der|dem|am|the) (\d{1,2})\b(?! (?:uhr|oclock|minut|stund|hour|time))/;

/** `plain`: with figures for number words. */
export function readDay(
  plain: string,
  today: Temporal.PlainDate,
  closures: readonly Closure[],
  language: string,
): AskedDay {
  const { times } = vocabularyOf(language);
  const day = (date: Temporal.PlainDate, calledBy: 'today' | 'tomorrow' | 'weekday' | 'date'): AskedDay => ({
    kind: 'day',
    date,
    calledBy,
  });
  if (times.dayAfterTomorrow.test(plain)) return day(today.add({ days: 2 }), 'weekday');
  const holiday = holidayIn(plain, today);
  if (holiday) return day(holiday, 'date');
  const closure = closureIn(plain, closures, today);
  if (closure)
    return closure.from === closure.to
      ? day(Temporal.PlainDate.from(closure.from), 'date')
      : { kind: 'closure', closure };
  const date = dateIn(plain, today, times);
  if (date) return day(date, 'date');
  const weekday = times.weekdays.findIndex((name) => name.test(plain));
  if (weekday >= 0) return day(nextWeekday(weekday, today, times.next.test(plain)), 'weekday');
  if (times.weekend.test(plain)) return { kind: 'weekend' };
  if (times.tomorrow.test(plain)) return day(today.add({ days: 1 }), 'tomorrow');
  if (times.today.test(plain)) return day(today, 'today');
  return { kind: 'none' };
}

/** The next closure of which all longer words are in the sentence. */
function closureIn(plain: string, closures: readonly Closure[], today: Temporal.PlainDate): Closure | undefined {
  const said = new Set(plain.split(' '));
  return closures
    .filter(({ to }) => to >= today.toString())
    .find(({ name }) => {
      const words = plainText(name)
        .split(' ')
        .filter((word) => word.length >= CLOSURE_WORD_LENGTH_MIN);
      return words.length > 0 && words.every((word) => said.has(word) || said.has(`${word}s`));
    });
}

/** "The 20th of July", "July 20", "the 25th". */
function dateIn(plain: string, today: Temporal.PlainDate, times: TimeWords): Temporal.PlainDate | undefined {
  const month = times.months.findIndex((name) => name.test(plain)) + 1;
  const dayOfMonth = dayOfMonthIn(plain, times, month > 0);
  if (dayOfMonth === undefined || dayOfMonth < 1 || dayOfMonth > 31) return undefined;
  const candidates =
    month > 0
      ? [0, 1].map((years) => ({ year: today.year + years, month }))
      : [0, 1, 2].map((months) => today.with({ day: 1 }).add({ months }));
  return candidates
    .map(({ year, month: inMonth }) => Temporal.PlainDate.from({ year, month: inMonth, day: dayOfMonth }))
    .find((date) => date.day === dayOfMonth && Temporal.PlainDate.compare(date, today) >= 0);
}

function dayOfMonthIn(plain: string, times: TimeWords, hasMonth: boolean): number | undefined {
  const figure = ORDINAL_FIGURE.exec(plain)?.[1] ?? FIGURE_AFTER_ARTICLE.exec(plain)?.[1];
  if (figure !== undefined) return Number(figure);
  const longestFirst = Object.keys(times.ordinals).toSorted((a, b) => b.length - a.length);
  const ordinal = new RegExp(String.raw`\b(?:the|den|der|dem|am|on) (${longestFirst.join('|')})\b`).exec(plain)?.[1];
  if (ordinal !== undefined) return times.ordinals[ordinal];
  if (!hasMonth) return undefined;
  const besideMonth = longestFirst.find((word) => new RegExp(String.raw`\b${word}\b`).test(plain));
  return besideMonth === undefined
    ? Number(/\b(\d{1,2})\b/.exec(plain)?.[1] ?? NaN) || undefined
    : times.ordinals[besideMonth];
}

/** Monday is 0. Today counts, unless the next one is asked for. */
function nextWeekday(weekday: number, today: Temporal.PlainDate, isNext: boolean): Temporal.PlainDate {
  const ahead = (weekday - (today.dayOfWeek - 1) + 7) % 7;
  return today.add({ days: isNext && ahead === 0 ? 7 : ahead });
}
