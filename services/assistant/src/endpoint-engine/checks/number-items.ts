import type { NumberWords } from './number-words.ts';
import type { Token } from './tokens.ts';

/** A time of day, in minutes. */
export interface ClockTime {
  readonly minutes: number;
  /** Whether it is known to be before or after noon. */
  readonly isCertain: boolean;
}

/** A number as it was read, before what is around it is known. */
export interface NumberItem {
  /** The tokens it is made of: from here to before there. */
  readonly from: number;
  readonly to: number;
  readonly values: readonly number[];
  readonly digits: string;
  readonly times: readonly ClockTime[];
  readonly isTime: boolean;
  readonly isOrdinal: boolean;
  readonly dates: readonly { readonly day: number; readonly month: number }[];
}

/** One number at a place, in digits or in words. */
export function readItem(tokens: readonly Token[], numbers: NumberWords, at: number): NumberItem | null {
  const token = tokens[at];
  if (!token) return null;
  if (token.isNumber) return readDigitItem(tokens, numbers, at);
  if (!token.isWord) return null;
  const repeated = readRepeatedDigit(tokens, numbers, at);
  if (repeated) return repeated;
  if (token.text === numbers.letterZero && isBesideNumber(tokens, numbers, at)) return wordItem(at, at + 1, 0);
  const ordinal = readOrdinal(tokens, numbers, at);
  if (ordinal) return ordinal;
  return readWords(tokens, numbers, at);
}

function readDigitItem(tokens: readonly Token[], numbers: NumberWords, at: number): NumberItem {
  const read = readDigits(tokens[at]!.text);
  const next = tokens[at + 1];
  if (next?.isWord && !next.hasSpaceBefore && /^(?:st|nd|rd|th)$/.test(next.text))
    return { ...read, from: at, to: at + 2, isOrdinal: true, times: [] };
  const factor = next ? numbers.factor(next.text) : null;
  if (factor !== null && read.values.length > 0) {
    const values = read.values.map((value) => value * factor);
    return {
      from: at,
      to: at + 2,
      values,
      digits: String(values[0] ?? ''),
      times: [],
      isTime: false,
      isOrdinal: false,
      dates: [],
    };
  }
  return { ...read, from: at, to: at + 1, isOrdinal: false };
}

/** `double four`. */
function readRepeatedDigit(tokens: readonly Token[], numbers: NumberWords, at: number): NumberItem | null {
  const times = numbers.repeats(tokens[at]!.text);
  const next = tokens[at + 1];
  if (times === null || !next) return null;
  const digit = next.isNumber
    ? Number(next.text)
    : (numbers.cardinal(next.text) ?? (next.text === numbers.letterZero ? 0 : null));
  if (digit === null || !isWhole(digit, 0, 9)) return null;
  const digits = String(digit).repeat(times);
  return { ...wordItem(at, at + 2, Number(digits)), digits };
}

function isBesideNumber(tokens: readonly Token[], numbers: NumberWords, at: number): boolean {
  return [tokens[at - 1], tokens[at + 1]].some(
    (token) => token?.isNumber || numbers.cardinal(token?.text ?? '') !== null,
  );
}

/** `fifth`, `twenty-first`. */
function readOrdinal(tokens: readonly Token[], numbers: NumberWords, at: number): NumberItem | null {
  const alone = numbers.ordinal(tokens[at]!.text);
  if (alone !== null) return { ...wordItem(at, at + 1, alone), isOrdinal: true };
  const tens = numbers.cardinal(tokens[at]!.text);
  if (tens === null || tens < 20 || tens > 90 || tens % 10 !== 0) return null;
  const next = tokens[at + 1]?.text === '-' ? at + 2 : at + 1;
  const ones = numbers.ordinal(tokens[next]?.text ?? '');
  return ones !== null && ones < 10 ? { ...wordItem(at, next + 1, tens + ones), isOrdinal: true } : null;
}

/** `two hundred and five`, `three point five`. */
function readWords(tokens: readonly Token[], numbers: NumberWords, at: number): NumberItem | null {
  let total = 0;
  let current: number | null = null;
  /** What may be added to: the last factor, or ten after tens. */
  let room = Infinity;
  let to = at;
  for (let place = at; place < tokens.length; place += 1) {
    const word = tokens[place]!.text;
    const factor: number | null = current === null && place > at ? null : numbers.factor(word);
    if (factor !== null && (current === null || current < factor || factor >= 1000)) {
      current = (current || 1) * factor;
      room = factor;
      if (factor >= 1000) {
        total += current;
        current = 0;
      }
    } else {
      const value = numbers.cardinal(word);
      if (value !== null && value < room && (current === null || value > 0)) {
        current = (current ?? 0) + value;
        room = value >= 20 && value < 100 && value % 10 === 0 ? 10 : 0;
      } else if (!joinsNumbers(tokens, numbers, place, room)) break;
      else continue;
    }
    to = place + 1;
  }
  if (to === at || current === null) return null;
  return withDecimals(tokens, numbers, wordItem(at, to, total + current));
}

/** `and` after hundreds, and the hyphen of `twenty-five`. */
function joinsNumbers(tokens: readonly Token[], numbers: NumberWords, at: number, room: number): boolean {
  const { text } = tokens[at]!;
  const next = numbers.cardinal(tokens[at + 1]?.text ?? '');
  if (next === null || next >= room || room === Infinity) return false;
  return text === '-' ? room === 10 : text === numbers.and && room >= 100;
}

function withDecimals(tokens: readonly Token[], numbers: NumberWords, item: NumberItem): NumberItem {
  if (tokens[item.to]?.text !== numbers.point || numbers.point === '') return item;
  let decimals = '';
  let to = item.to + 1;
  for (let digit = digitAt(tokens, numbers, to); digit !== null; digit = digitAt(tokens, numbers, to)) {
    decimals += String(digit);
    to += 1;
  }
  if (decimals === '') return item;
  const value = Number(`${item.digits}.${decimals}`);
  return { ...item, to, values: [value], digits: item.digits + decimals };
}

function digitAt(tokens: readonly Token[], numbers: NumberWords, at: number): number | null {
  const token = tokens[at];
  if (!token?.isWord) return null;
  const value = numbers.cardinal(token.text);
  return value !== null && value < 10 ? value : null;
}

function wordItem(from: number, to: number, value: number): NumberItem {
  return { from, to, values: [value], digits: String(value), times: [], isTime: false, isOrdinal: false, dates: [] };
}

export function isWhole(value: number, min: number, max: number): boolean {
  return Number.isInteger(value) && value >= min && value <= max;
}

/** What digits may mean: `9.30` is a time, a number and a day. */
function readDigits(text: string) {
  const parts = text.split(/[.,:'’/-]/);
  const digits = parts.join('');
  const [first = '', second = '', ...more] = parts;
  const dates = datesOf(text, parts);
  const isClock = /^\d{1,2}[:.]\d{2}(?::\d{2})?$/.test(text) && Number(first) <= 24 && Number(second) < 60;
  const times = isClock
    ? [
        {
          minutes: (Number(first) % 24) * 60 + Number(second),
          isCertain: Number(first) > 12 || (first.length === 2 && first.startsWith('0')),
        },
      ]
    : [];
  const isTime = isClock && text.includes(':');
  return { values: isTime ? [] : valuesOf(text, first, second, more), digits, times, isTime, dates };
}

function valuesOf(text: string, first: string, second: string, more: readonly string[]): number[] {
  const [separator] = text.match(/[^\d]/) ?? [];
  if (separator === undefined) return text.length <= 15 ? [Number(text)] : [];
  if (separator === ':' || separator === '/' || separator === '-') return [];
  const rest = [second, ...more];
  const values: number[] = [];
  if (more.length === 0 && separator !== "'") values.push(Number(`${first}.${second}`));
  const separators = text.replaceAll(/\d/g, '');
  const last = separators.at(-1)!;
  const isMixed = separators.indexOf(last) === separators.length - 1 && separators.length > 1;
  const groups = isMixed ? rest.slice(0, -1) : rest;
  if (first.length <= 3 && groups.every((group) => group.length === 3)) {
    const whole = Number([first, ...groups].join(''));
    values.push(isMixed ? Number(`${whole}.${rest.at(-1)}`) : whole);
  }
  return values;
}

function datesOf(text: string, parts: readonly string[]): { day: number; month: number }[] {
  const [one = 0, two = 0, three] = parts.map(Number);
  const fits = ({ day, month }: { day: number; month: number }) => day >= 1 && day <= 31 && month >= 1 && month <= 12;
  if (/^\d{4}-/.test(text)) return [{ day: three ?? 0, month: two }].filter(fits);
  if (text.includes('/')) {
    // Days and months are in either order.
    return [
      { day: one, month: two },
      { day: two, month: one },
    ].filter(fits);
  }
  return /^\d{1,2}\.\d{1,2}\.\d{2,4}$/.test(text) ? [{ day: one, month: two }].filter(fits) : [];
}
