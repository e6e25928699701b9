import { currencies, type FigureWords, figureWordsOf, percentWords } from './figure-words.ts';
import { type ClockTime, isWhole, type NumberItem, readItem } from './number-items.ts';
import { numberWordsOf, type NumberWords } from './number-words.ts';
import { type Token, tokensOf } from './tokens.ts';

/** Something in a text that can be wrong: everything it may mean. */
export type Figure =
  | {
      readonly kind: 'number';
      readonly values: readonly number[];
      /** All its digits, without leading zeros: of a telephone number, however it is grouped. */
      readonly digits: string;
      /** A currency, `%`, or null. */
      readonly unit: string | null;
      readonly times: readonly ClockTime[];
      /** Whether it can mean nothing else than a time. */
      readonly isTime: boolean;
      /** Whether it may be an hour where it stands. */
      readonly isHour: boolean;
      readonly isOrdinal: boolean;
    }
  | { readonly kind: 'date'; readonly dates: readonly { readonly day: number; readonly month: number }[] }
  | { readonly kind: 'month'; readonly month: number }
  | { readonly kind: 'weekday'; readonly days: readonly number[] };

type NumberFigure = Extract<Figure, { kind: 'number' }>;

/** All figures of a text, in its order. Time grows with its length only. */
export function readFigures(text: string, language: string): Figure[] {
  const reader: Reader = {
    tokens: tokensOf(text),
    numbers: numberWordsOf(language),
    words: figureWordsOf(language),
  };
  const figures: Figure[] = [];
  let at = 0;
  while (at < reader.tokens.length) {
    const read = readNamedTime(reader, at) ?? readCalendarWord(reader, at) ?? readNumber(reader, at);
    if (read) figures.push(...read.figures);
    at = read ? read.to : at + 1;
  }
  return figures;
}

interface Reader {
  readonly tokens: readonly Token[];
  readonly numbers: NumberWords;
  readonly words: FigureWords;
}

interface Reading {
  readonly figures: readonly Figure[];
  readonly to: number;
}

const MINUTES_OF_DAY = 24 * 60;

/** `half past nine`, `ten minutes past nine`, `noon`. */
function readNamedTime({ tokens, numbers, words }: Reader, at: number): Reading | null {
  const word = tokens[at]!.text;
  const named = words.times.get(word);
  if (named !== undefined) return { figures: [timeFigure(named, true)], to: at + 1 };
  for (const [before, minutes] of words.beforeHour) {
    if (!before.every((each, place) => tokens[at + place]?.text === each)) continue;
    const hour = readItem(tokens, numbers, at + before.length);
    if (!hour || !isHourItem(hour)) continue;
    return { figures: [timeFigure(hour.values[0]! * 60 + minutes, hour.values[0]! > 12)], to: hour.to };
  }
  const minutes = readItem(tokens, numbers, at);
  if (!minutes || minutes.values.length !== 1 || minutes.values[0]! > 59) return null;
  for (const [list, sign] of [
    [words.minutesPast, 1],
    [words.minutesTo, -1],
  ] as const) {
    const joint = list.find((each) =>
      each.split(' ').every((part, place) => tokens[minutes.to + place]?.text === part),
    );
    if (joint === undefined) continue;
    const hour = readItem(tokens, numbers, minutes.to + joint.split(' ').length);
    if (!hour || !isHourItem(hour)) continue;
    const total = hour.values[0]! * 60 + sign * minutes.values[0]!;
    return { figures: [timeFigure(total, hour.values[0]! > 12)], to: hour.to };
  }
  return null;
}

const isHourItem = ({ values, isOrdinal }: NumberItem) =>
  !isOrdinal && values.length === 1 && isWhole(values[0]!, 0, 24);

const NO_FIGURE: NumberFigure = {
  kind: 'number',
  values: [],
  digits: '',
  unit: null,
  times: [],
  isTime: false,
  isHour: false,
  isOrdinal: false,
};

function numberFigure(value: number): Figure {
  return { ...NO_FIGURE, values: [value], digits: String(value) };
}

function timeFigure(minutes: number, isCertain: boolean): Figure {
  const time = { minutes: (minutes + MINUTES_OF_DAY) % MINUTES_OF_DAY, isCertain };
  return { ...NO_FIGURE, times: [time], isTime: true, isHour: true };
}

/** A weekday, or a month with or without its day behind it: `May 5`. */
function readCalendarWord({ tokens, numbers, words }: Reader, at: number): Reading | null {
  const { text, isCapital, beginsSentence } = tokens[at]!;
  const days = words.weekdays.get(text);
  if (days) return { figures: [{ kind: 'weekday', days }], to: at + 1 };
  const month = words.months.get(text);
  if (month === undefined) return null;
  const dayAt = tokens[at + 1]?.text === 'the' ? at + 2 : at + 1;
  const day = readItem(tokens, numbers, dayAt);
  const value = day?.values[0];
  if (day && value !== undefined && day.values.length === 1 && isWhole(value, 1, 31))
    return { figures: [{ kind: 'date', dates: [{ day: value, month }] }], to: day.to };
  if (words.ambiguousMonths.has(text) && (!isCapital || beginsSentence)) return null;
  return { figures: [{ kind: 'month', month }], to: at + 1 };
}

/** A number, or several that stand together, with what is around it. */
function readNumber(reader: Reader, at: number): Reading | null {
  const run = readRun(reader, at);
  if (!run) return null;
  const to = run.at(-1)!.to;
  const [only] = run;
  if (only!.dates.length > 0) {
    const year = /\d{4}/.exec(reader.tokens[at]!.text)?.[0];
    const date: Figure = { kind: 'date', dates: only!.dates };
    return { figures: year === undefined ? [date] : [date, numberFigure(Number(year))], to };
  }
  const date = dateBehind(reader, run);
  if (date) return date;
  if (isRange(reader.tokens, run)) {
    const ends = run.map((item) => withSurroundings(reader, [item], at));
    return { figures: withCommonUnit(ends.map(({ figure }) => figure)), to: ends.at(-1)!.to };
  }
  const { figure, to: end } = withSurroundings(reader, run, at);
  return { figures: figure ? [figure] : [], to: end };
}

/** Numbers without words between them: `twelve fifty`, `70 11 22 33`. */
function readRun({ tokens, numbers }: Reader, at: number): NumberItem[] | null {
  const first = readItem(tokens, numbers, at);
  if (!first) return null;
  const run = [first];
  for (let last = first; canBeJoined(last);) {
    const next = readItem(tokens, numbers, afterSeparators(tokens, last.to));
    if (!next || !canBeJoined(next)) break;
    run.push(next);
    last = next;
  }
  return run;
}

const canBeJoined = ({ isTime, isOrdinal, dates }: NumberItem) => !isTime && !isOrdinal && dates.length === 0;

const DASHES = new Set(['-', '–', '—', '−']);

function afterSeparators(tokens: readonly Token[], at: number): number {
  let next = at;
  while (
    next < tokens.length &&
    next < at + 3 &&
    (DASHES.has(tokens[next]!.text) || '()/'.includes(tokens[next]!.text))
  )
    next += 1;
  return next;
}

/** Two numbers with a dash between them. Longer ones are telephone numbers. */
function isRange(tokens: readonly Token[], run: readonly NumberItem[]): boolean {
  const [first, second, ...more] = run;
  if (!second || more.length > 0) return false;
  return DASHES.has(tokens[first!.to]?.text ?? '') && tokens[first!.from]!.isNumber && tokens[second.from]!.isNumber;
}

/** One end of a range tells the unit of both: `10-20 euros`. */
function withCommonUnit(figures: readonly (NumberFigure | null)[]): Figure[] {
  const ends = figures.filter((figure) => figure !== null);
  const unit = ends.at(-1)?.unit ?? ends[0]?.unit ?? null;
  return ends.map((figure) => ({ ...figure, unit: figure.unit ?? unit }));
}

/** `5 May`, `the fifth of May`, `20 to 27 December`. */
function dateBehind({ tokens, numbers, words }: Reader, run: readonly NumberItem[]): Reading | null {
  const last = run.at(-1)!;
  const day = last.values[0];
  if (day === undefined || last.values.length !== 1 || !isWhole(day, 1, 31)) return null;
  let at = last.to;
  if (tokens[at]?.text === '.') at += 1;
  if (tokens[at]?.text === 'of') at += 1;
  const month = words.months.get(tokens[at]?.text ?? '');
  if (month !== undefined) {
    const days = run.flatMap(({ values }) => values).filter((value) => isWhole(value, 1, 31));
    return { figures: days.map((each) => ({ kind: 'date', dates: [{ day: each, month }] })), to: at + 1 };
  }
  // The first end of a range of days takes the month of the second.
  const joint = tokens[last.to]?.text ?? '';
  if (run.length > 1 || !words.to.has(joint)) return null;
  const second = readItem(tokens, numbers, last.to + 1);
  const end = second && dateBehind({ tokens, numbers, words }, [second]);
  const [date] = end?.figures ?? [];
  if (!end || date?.kind !== 'date') return null;
  return { figures: [{ kind: 'date', dates: [{ day, month: date.dates[0]!.month }] }, ...end.figures], to: end.to };
}

/** Adds what is before and behind a run: a currency, a percent sign, a part of the day. Null for what is no figure. */
function withSurroundings(
  reader: Reader,
  run: readonly NumberItem[],
  at: number,
): { readonly figure: NumberFigure | null; readonly to: number } {
  const { tokens, words, numbers } = reader;
  const [first] = run;
  const before = tokens[first!.from - 1]?.text ?? '';
  let to = run.at(-1)!.to;
  const behind = tokens[to]?.text ?? '';
  let { values, times } = valuesOf(run);
  let unit = currencies.get(before) ?? null;
  let isTime = run.length === 1 && first!.isTime;

  if (percentWords.has(behind) || (behind === 'per' && tokens[to + 1]?.text === 'cent')) {
    unit = '%';
    to += behind === 'per' ? 2 : 1;
  } else if (currencies.has(behind)) {
    unit = currencies.get(behind)!;
    to += 1;
    const cents = centsBehind(reader, to);
    if (cents && unit !== 'cent') {
      values = values.map((value) => value + cents.value / 100);
      to = cents.to;
    }
  } else if (behind === ',' && DASHES.has(tokens[to + 1]?.text ?? '') && unit === null) {
    unit = ANY_CURRENCY;
  } else if (words.oclock.has(behind)) {
    isTime = true;
    to += 1;
    const minutes = readItem(tokens, numbers, to);
    const value = minutes?.values[0];
    if (
      minutes &&
      !tokens[to]!.isNumber === !tokens[first!.from]!.isNumber &&
      value !== undefined &&
      isWhole(value, 0, 59)
    ) {
      times = times.map((time) => ({ ...time, minutes: time.minutes + value }));
      to = minutes.to;
    }
  }
  const part = partOfDay(reader, to);
  if (part && times.length > 0) {
    isTime = true;
    times = times.map(({ minutes }) => ({
      minutes: part === 'am' ? minutes % 720 : (minutes % 720) + 720,
      isCertain: true,
    }));
  }
  const isOrdinal = first!.isOrdinal;
  if (isNoFigure(reader, run, { unit, isTime, to })) return { figure: null, to };
  const digits = run
    .map((item) => item.digits)
    .join('')
    .replace(/^0+(?=\d)/, '');
  const isHour = isTime || (words.beforeTime.has(before) && !isNoun(reader, to));
  if (unit !== null && values.length > 0) times = [];
  return {
    figure: { kind: 'number', values, digits, unit, times, isTime: isTime && times.length > 0, isHour, isOrdinal },
    to: Math.max(to, at + 1),
  };
}

/** What is behind `45,-`, and fits every currency. */
export const ANY_CURRENCY = 'any';

/** `twelve euros (and) fifty (cents)`. */
function centsBehind({ tokens, numbers }: Reader, at: number): { value: number; to: number } | null {
  const from = tokens[at]?.text === numbers.and ? at + 1 : at;
  const item = readItem(tokens, numbers, from);
  const value = item?.values[0];
  if (!item || value === undefined || item.isTime || !isWhole(value, 1, 99)) return null;
  const behind = tokens[item.to]?.text ?? '';
  if (currencies.get(behind) === 'cent') return { value, to: item.to + 1 };
  return from === at && !currencies.has(behind) && !percentWords.has(behind) ? { value, to: item.to } : null;
}

/** The part of the day in the next words: `pm`, `in the evening`. */
function partOfDay({ tokens, words }: Reader, at: number): 'am' | 'pm' | null {
  const LINKS = new Set(['in', 'the', 'at', 'om', 'am']);
  for (let place = at; place < at + 3; place += 1) {
    const word = tokens[place]?.text ?? '';
    // A German `am` begins a day.
    if (words.am.has(word)) return 'am';
    if (words.pm.has(word)) return 'pm';
    if (!LINKS.has(word)) return null;
  }
  return null;
}

/** "one of us", "first of all": number words that say nothing that could be wrong. */
function isNoFigure(
  { tokens, words }: Reader,
  run: readonly NumberItem[],
  { unit, isTime, to }: { unit: string | null; isTime: boolean; to: number },
): boolean {
  const [only, ...more] = run;
  if (more.length > 0 || unit !== null || isTime || tokens[only!.from]!.isNumber) return false;
  if (only!.isOrdinal) return only!.values[0]! <= 2 && !words.floors.has(tokens[to]?.text ?? '');
  return only!.to - only!.from === 1 && words.articles.has(tokens[only!.from]!.text);
}

function isNoun({ tokens, words }: Reader, at: number): boolean {
  const next = tokens[at];
  if (!next?.isWord) return false;
  return !words.functionWords.has(next.text) && !words.weekdays.has(next.text) && !words.months.has(next.text);
}

/** What a run may mean: as one number, as a price with its decimals, as a time. */
function valuesOf(run: readonly NumberItem[]): { values: readonly number[]; times: readonly ClockTime[] } {
  const [first, second] = run;
  if (!second) return { values: first!.values, times: [...first!.times, ...hourOf(first!)] };
  const joined = run.map(({ digits }) => digits).join('');
  const decimals =
    run.length === 2 && /^\d\d$/.test(second.digits)
      ? first!.values.map((value) => value + Number(second.digits) / 100)
      : [];
  return {
    values: [...(joined.length <= 15 ? [Number(joined)] : []), ...decimals],
    times: timeOfDigits(run.map(({ digits }) => digits)),
  };
}

function hourOf({ values, isOrdinal }: NumberItem): ClockTime[] {
  const [hour, ...others] = values;
  if (isOrdinal || hour === undefined || others.length > 0 || !isWhole(hour, 0, 24)) return [];
  return [{ minutes: (hour % 24) * 60, isCertain: hour === 0 || hour > 12 }];
}

/** `nine thirty`, `nine oh five`. */
function timeOfDigits(parts: readonly string[]): ClockTime[] {
  const [hour = '', ...rest] = parts;
  const minutes = rest.join('');
  if (!/^\d\d?$/.test(hour) || !/^[0-5]\d$/.test(minutes) || Number(hour) > 23) return [];
  return [{ minutes: Number(hour) * 60 + Number(minutes), isCertain: Number(hour) > 12 }];
}
