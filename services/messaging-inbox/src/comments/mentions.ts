import { wordsOf } from '@parley/text';

/** Whom a comment can mention. */
export interface MentionedEmployee {
  readonly id: string;
  readonly name: string;
}

/** Further mentions of one comment are ignored. */
const MENTIONS_MAX = 20;
/** `@` at the beginning of a word: an e-mail address mentions nobody. */
const MENTION = /(?<![\p{L}\p{N}])@(?=[\p{L}\p{N}])/gu;
/** Words of a name that are compared. */
const NAME_WORDS_MAX = 8;
const NAME_LENGTH_MAX = 300;

/**
 * The employees that a text mentions: `@` and the beginning of a name, in whole words, whatever their case and accents. The
 * longest match counts (`@Anna Berg` is not Anna Holm). Of several employees with the same words it is the one whose whole
 * name they are; if that leaves none or more than one, nobody is mentioned.
 */
export function mentionsOf(text: string, employees: readonly MentionedEmployee[]): MentionedEmployee[] {
  const names = employees.map((employee) => ({ employee, words: nameWords(employee.name) }));
  const mentioned = new Map<string, MentionedEmployee>();
  for (const { index } of [...text.matchAll(MENTION)].slice(0, MENTIONS_MAX)) {
    const written = writtenWords(text.slice(index + 1, index + 1 + NAME_LENGTH_MAX));
    const employee = employeeOf(written, names);
    if (employee) mentioned.set(employee.id, employee);
  }
  return [...mentioned.values()];
}

/** A cheap check before the employees are read. */
export function hasMention(text: string): boolean {
  return text.search(MENTION) >= 0;
}

interface EmployeeName {
  readonly employee: MentionedEmployee;
  readonly words: readonly string[];
}

function employeeOf(written: readonly string[], names: readonly EmployeeName[]): MentionedEmployee | undefined {
  const matched = names.map((name) => ({ ...name, count: commonWords(written, name.words) }));
  const longest = matched.reduce((most, { count }) => Math.max(most, count), 1);
  const best = matched.filter(({ count }) => count === longest);
  const [first, ...others] = best.length > 1 ? best.filter(({ words }) => words.length === longest) : best;
  return others.length === 0 ? first?.employee : undefined;
}

function commonWords(written: readonly string[], words: readonly string[]): number {
  const different = words.findIndex((word, index) => word !== written[index]);
  return different < 0 ? words.length : different;
}

function nameWords(name: string): string[] {
  return name.split(/\s+/).flatMap(plainWord).slice(0, NAME_WORDS_MAX);
}

/** The words that follow each other; a punctuation mark ends them. */
function writtenWords(text: string): string[] {
  const words: string[] = [];
  for (const part of text.split(/\s+/).slice(0, NAME_WORDS_MAX)) {
    words.push(...plainWord(part));
    if (/[,;:!?)]$/u.test(part)) break;
  }
  return words;
}

/** Without the punctuation around it; nothing when there is nothing else. */
function plainWord(word: string): string[] {
  return wordsOf(word.replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}\p{M}]+$/gu, ''));
}
