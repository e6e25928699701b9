/** A description of values: `problem` says what is wrong with one, with its path, or nothing. */
export class Matcher {
  readonly problem: (value: unknown, path: string) => string | undefined;

  constructor(problem: Matcher['problem']) {
    this.problem = problem;
  }
}

/** A value that is expected as it stands, a matcher, or a list or an object of them. */
export type Shape = unknown;

const MISSING = Symbol('missing');
const SHOWN_CHARACTERS = 300;

/** As it is shown in messages. */
export function shown(value: unknown): string {
  if (value === MISSING) return 'nothing';
  const text = JSON.stringify(value) ?? String(value);
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
}

/**
 * What is wrong with a value, or nothing. An object must have the keys of the shape; it may have others, since everything that is public may
 * get new fields.
 */
export function mismatch(value: unknown, shape: Shape, path: string): string | undefined {
  if (shape instanceof Matcher) return shape.problem(value, path);
  if (Array.isArray(shape)) return listMismatch(value, shape, path);
  if (shape !== null && typeof shape === 'object') return objectMismatch(value, shape, path);
  return Object.is(value, shape) ? undefined : `${path} is ${shown(value)} instead of ${shown(shape)}`;
}

function listMismatch(value: unknown, shape: readonly Shape[], path: string): string | undefined {
  if (!Array.isArray(value)) return `${path} is ${shown(value)} instead of a list`;
  if (value.length !== shape.length)
    return `${path} has ${value.length} entries instead of ${shape.length}: ${shown(value)}`;
  return first(shape.map((entry, index) => mismatch(value[index], entry, `${path}[${index}]`)));
}

function objectMismatch(value: unknown, shape: object, path: string): string | undefined {
  if (!isObject(value)) return `${path} is ${shown(value)} instead of an object`;
  return first(
    Object.entries(shape).map(([key, entry]) => {
      const found = Object.hasOwn(value, key) ? value[key] : MISSING;
      return found === MISSING && !(entry instanceof Matcher)
        ? `${path}.${key} is missing; expected ${shown(entry)}`
        : mismatch(found, entry, `${path}.${key}`);
    }),
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

function first(problems: readonly (string | undefined)[]): string | undefined {
  return problems.find((problem) => problem !== undefined);
}

function matcher(expected: string, holds: (value: unknown) => boolean): Matcher {
  return new Matcher((value, path) => (holds(value) ? undefined : `${path} is ${shown(value)} instead of ${expected}`));
}

export const anything: Matcher = matcher('any value', (value) => value !== MISSING);
export const text: Matcher = matcher('a text', (value) => typeof value === 'string');
export const someText: Matcher = matcher(
  'a text that is not empty',
  (value) => typeof value === 'string' && value !== '',
);
export const integer: Matcher = matcher('an integer', Number.isInteger);
export const flag: Matcher = matcher('true or false', (value) => typeof value === 'boolean');
/** In an object: the key must not be there. */
export const absent: Matcher = matcher('no such field', (value) => value === MISSING);

/** A time in UTC with `Z` and milliseconds, as all of the API but those of messages and the inbox. */
export const timestamp: Matcher = matcher('a time such as 2026-02-03T04:05:06.789Z', isTime(3));
/** A time in UTC with `Z` and microseconds. */
export const microTimestamp: Matcher = matcher('a time such as 2026-02-03T04:05:06.789012Z', isTime(6));

function isTime(decimals: number): (value: unknown) => boolean {
  const pattern = new RegExp(`^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{${decimals}}Z$`);
  return (value) => typeof value === 'string' && pattern.test(value) && !Number.isNaN(Date.parse(value));
}

/** A text that a regular expression fits. */
export function matching(pattern: RegExp): Matcher {
  return matcher(`a text like ${pattern}`, (value) => typeof value === 'string' && pattern.test(value));
}

/** A number within limits, both included. */
export function between(least: number, most: number): Matcher {
  return matcher(`${least} to ${most}`, (value) => typeof value === 'number' && value >= least && value <= most);
}

/** One of several values. */
export function oneOf(...values: readonly unknown[]): Matcher {
  return matcher(`one of ${values.map(shown).join(', ')}`, (value) => values.includes(value));
}

/** The shape, or null. */
export function nullable(shape: Shape): Matcher {
  return new Matcher((value, path) => (value === null ? undefined : mismatch(value, shape, path)));
}

/** In an object: the shape, or no such key. */
export function optional(shape: Shape): Matcher {
  return new Matcher((value, path) => (value === MISSING ? undefined : mismatch(value, shape, path)));
}

/** A list of any length, each entry of the shape. */
export function listOf(shape: Shape): Matcher {
  return new Matcher((value, path) =>
    Array.isArray(value)
      ? first(value.map((entry, index) => mismatch(entry, shape, `${path}[${index}]`)))
      : `${path} is ${shown(value)} instead of a list`,
  );
}

/** A list that has an entry of the shape, among others. */
export function listWith(shape: Shape): Matcher {
  return new Matcher((value, path) =>
    Array.isArray(value) && value.some((entry) => mismatch(entry, shape, path) === undefined)
      ? undefined
      : `${path} is ${shown(value)}, without an entry like ${shown(shape)}`,
  );
}

/** An object with these keys and no others. */
export function exactly(shape: object): Matcher {
  return new Matcher((value, path) => {
    const wrong = objectMismatch(value, shape, path);
    if (wrong !== undefined) return wrong;
    const others = Object.keys(value as object).filter((key) => !Object.hasOwn(shape, key));
    return others.length === 0 ? undefined : `${path} has further fields: ${others.join(', ')}`;
  });
}
