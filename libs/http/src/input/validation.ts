import { type Refusal, refusal } from '@parley/errors';
import { z } from 'zod';
import { messageFor } from './messages.ts';

/** The part of the request with an invalid value. */
export type InputPart = 'params' | 'query' | 'headers' | 'body';

/** Field path to what is wrong with it: `{ 'menu_options[1].digit': ['has already been taken'] }`. */
export type FieldProblems = Readonly<Record<string, readonly string[]>>;

/** An input that did not pass its schema, before it becomes a response. */
export interface InputProblem {
  readonly part: InputPart;
  readonly fields: FieldProblems;
}

/** A parsed value, or what is wrong with it. */
export type Validated<Value> = { readonly value: Value } | { readonly fields: FieldProblems };

/** A hostile list of a hundred thousand wrong items gets a response of bounded size. */
const FIELDS_MAX = 100;

const PARSING = { error: messageFor };

/** Parses a value by its schema and refuses text that our stores and wires cannot carry. */
export function validate<Value>(schema: z.ZodType<Value>, input: unknown): Validated<Value> {
  const parsed = schema.safeParse(input, PARSING);
  const problems = new Map<string, string[]>();
  if (!parsed.success) {
    for (const issue of parsed.error.issues) addIssue(problems, issue, []);
    return { fields: Object.fromEntries(problems) };
  }
  addUnwritable(problems, parsed.data, []);
  return problems.size === 0 ? { value: parsed.data } : { fields: Object.fromEntries(problems) };
}

/** The refusal for invalid fields, unless the endpoint defines its own. */
export function fieldsRefusal(fields: FieldProblems): Refusal {
  const [path = '', messages = []] = Object.entries(fields)[0] ?? [];
  return refusal('validation_failed', `${path} ${messages[0] ?? 'is invalid'}`, { fields });
}

/**
 * The flat record of a query or a form. A parameter that a schema has is one string: given twice, or as
 * `name[key]`, it is refused by its name, so that handlers never receive a list or an object instead.
 * Others are left out. Without `names` every key is known.
 */
export function flatRecord(
  given: URLSearchParams,
  names: readonly string[] | undefined,
): Validated<Record<string, string>> {
  const problems = new Map<string, string[]>();
  const record: Record<string, string> = {};
  for (const [key, value] of given) {
    const bracket = key.indexOf('[');
    const name = names !== undefined && bracket > 0 ? key.slice(0, bracket) : key;
    if (names !== undefined && !names.includes(name)) continue;
    if (name !== key) add(problems, name, 'must be a single value');
    else if (Object.hasOwn(record, name)) add(problems, name, 'must be given only once');
    else record[name] = value;
  }
  return problems.size === 0 ? { value: record } : { fields: Object.fromEntries(problems) };
}

/** `menu_options[1].digit` for `['menu_options', 1, 'digit']`; the whole body is `body`. */
export function fieldPath(path: readonly PropertyKey[]): string {
  if (path.length === 0) return 'body';
  let text = '';
  for (const key of path) {
    if (typeof key === 'number') text += `[${key}]`;
    else text += text === '' ? String(key) : `.${String(key)}`;
  }
  return text;
}

function addIssue(problems: Map<string, string[]>, issue: z.core.$ZodIssue, parent: readonly PropertyKey[]): void {
  const path = [...parent, ...issue.path];
  const branch = issue.code === 'invalid_union' ? closestBranch(issue.errors) : undefined;
  if (branch === undefined) return add(problems, fieldPath(path), issue.message);
  for (const inner of branch) addIssue(problems, inner, path);
}

/** The only alternative of a union whose own type matches is the intended one: its inner fields are the problem. */
function closestBranch(branches: readonly z.core.$ZodIssue[][]): z.core.$ZodIssue[] | undefined {
  const fitting = branches.filter((branch) => branch.length > 0 && branch.every((issue) => issue.path.length > 0));
  return fitting.length === 1 ? fitting[0] : undefined;
}

/** NUL ends a string in too many places, and protobuf cannot carry half of a surrogate pair. */
function addUnwritable(problems: Map<string, string[]>, value: unknown, path: readonly PropertyKey[]): void {
  if (typeof value === 'string') {
    if (!isWritable(value)) add(problems, fieldPath(path), 'contains an invalid character');
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) return value.forEach((item, index) => addUnwritable(problems, item, [...path, index]));
  for (const [key, item] of Object.entries(value)) {
    if (!isWritable(key)) add(problems, fieldPath(path), 'contains an invalid character');
    else addUnwritable(problems, item, [...path, key]);
  }
}

/** Accepts text that a store returns unchanged. */
export function isWritable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

function add(problems: Map<string, string[]>, path: string, message: string): void {
  const known = problems.get(path);
  if (known === undefined) {
    if (problems.size < FIELDS_MAX) problems.set(path, [message]);
  } else if (!known.includes(message)) known.push(message);
}

/**
 * An array whose length is checked before its items are parsed. `z.array().max()` alone parses every item first, and half a million
 * wrong ones take seconds.
 */
export function boundedArray<Item extends z.ZodType>(item: Item, lengthMax: number, lengthMin = 0) {
  return z.preprocess((value, context) => {
    if (!Array.isArray(value) || value.length <= lengthMax) return value;
    context.issues.push({ code: 'too_big', origin: 'array', maximum: lengthMax, inclusive: true, input: value });
    return z.NEVER;
  }, z.array(item).min(lengthMin).max(lengthMax));
}
