import type { z } from 'zod';

type RawIssue = z.core.$ZodRawIssue;

const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
  array: 'an array',
  tuple: 'an array',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

const FORMATS: Readonly<Record<string, string>> = {
  email: 'is not a valid e-mail address',
  url: 'is not a valid URL',
  datetime: 'must be an ISO 8601 timestamp',
  date: 'must be an ISO 8601 date',
  time: 'must be an ISO 8601 time',
  e164: 'is not a valid phone number',
  uuid: 'is not a valid UUID',
};

/**
 * Describes the problem of a field so that it forms a sentence after the field's name. Given to zod for every parse;
 * a message that a schema states itself wins over it.
 */
export function messageFor(issue: RawIssue): string {
  if (issue.input === undefined && REQUIRED_CODES.has(issue.code)) return 'is required';
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${TYPES[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `must be ${oneOf(issue.values)}`;
    case 'invalid_format':
      return FORMATS[issue.format] ?? 'is invalid';
    case 'too_small':
      return tooSmall(issue);
    case 'too_big':
      return tooBig(issue);
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'unrecognized_keys':
      return `has unknown fields: ${issue.keys.join(', ')}`;
    case 'invalid_key':
      return 'is not a valid key';
    case 'invalid_union':
      return unionMessage(issue);
    default:
      return 'is invalid';
  }
}

const REQUIRED_CODES: ReadonlySet<string> = new Set(['invalid_type', 'invalid_value', 'invalid_union']);

function tooSmall({ origin, minimum, inclusive, exact }: Extract<RawIssue, { code: 'too_small' }>): string {
  if (origin === 'string') {
    if (exact) return `is the wrong length (should be ${characters(minimum)})`;
    return minimum === 1 ? 'must not be blank' : `is too short (minimum is ${characters(minimum)})`;
  }
  if (origin === 'array') return `must have ${exact ? 'exactly' : 'at least'} ${items(minimum)}`;
  return inclusive ? `must be at least ${minimum}` : `must be greater than ${minimum}`;
}

function tooBig({ origin, maximum, inclusive, exact }: Extract<RawIssue, { code: 'too_big' }>): string {
  if (origin === 'string') {
    if (exact) return `is the wrong length (should be ${characters(maximum)})`;
    return `is too long (maximum is ${characters(maximum)})`;
  }
  if (origin === 'array') return `must have ${exact ? 'exactly' : 'at most'} ${items(maximum)}`;
  return inclusive ? `must be at most ${maximum}` : `must be less than ${maximum}`;
}

function unionMessage(issue: Extract<RawIssue, { code: 'invalid_union' }>): string {
  if ('options' in issue && Array.isArray(issue.options)) return `must be ${oneOf(issue.options)}`;
  const expected = issue.errors.flatMap((branch) => branch.map((one) => one.message.replace(/^must be /, '')));
  const plain = issue.errors.length > 0 && issue.errors.every((branch) => branch.every(isPlainTypeIssue));
  return plain ? `must be ${[...new Set(expected)].join(' or ')}` : 'is invalid';
}

function isPlainTypeIssue(issue: z.core.$ZodIssue): boolean {
  return issue.path.length === 0 && (issue.code === 'invalid_type' || issue.code === 'invalid_value');
}

function oneOf(values: readonly unknown[]): string {
  const texts = values.map((value) => (value === '' ? 'blank' : String(value)));
  return texts.length === 1 ? `${texts[0]}` : `one of ${texts.join(', ')}`;
}

function characters(count: number | bigint): string {
  return `${count} ${count === 1 ? 'character' : 'characters'}`;
}

function items(count: number | bigint): string {
  return `${count} ${count === 1 ? 'item' : 'items'}`;
}
