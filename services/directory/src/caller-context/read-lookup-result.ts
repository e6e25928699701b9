import { plainLine, plainText } from '@parley/text';
import { z } from 'zod';
import {
  type Column,
  type Field,
  type Format,
  FORMATS,
  type LookupResult,
  type ProviderContact,
  type Row,
  type Section,
  type Value,
} from './caller-context.ts';

/** Limits of the specification for data about a person. */
const CONTACT_LENGTHS_MAX = { name: 128, email: 320, companyName: 128, note: 10_000 };
/** Our own limits: the result is shown while a phone rings. */
const SECTIONS_MAX = 20;
const FIELDS_MAX = 50;
const COLUMNS_MAX = 20;
const ROWS_MAX = 100;
const LABEL_LENGTH_MAX = 128;
const VALUE_LENGTH_MAX = 1000;
const URL_LENGTH_MAX = 2048;
/** All sections of one system together, as JSON. With it the answers of three systems fit into one event. */
const SECTIONS_BYTES_MAX = 96 * 1024;

/**
 * Reads the answer of a connected system, which is untrusted input: what does not fit is left out, what is too long is
 * cut, and nothing in it can make our own answer fail. Undefined when it contains nothing usable.
 */
export function readLookupResult(answer: unknown): LookupResult | undefined {
  if (!isObject(answer)) return undefined;
  const contact = readContact(answer['contact']);
  const url = readUrl(answer['url']) ?? null;
  const budget = byteBudget(SECTIONS_BYTES_MAX);
  const sections = list(answer['sections'], SECTIONS_MAX).flatMap((section) => readSection(section, budget) ?? []);
  return contact || url || sections.length > 0 ? { contact, url, sections } : undefined;
}

/** Null when nothing about the person is usable. */
function readContact(value: unknown): ProviderContact | null {
  if (!isObject(value)) return null;
  const email = text(value['email'], CONTACT_LENGTHS_MAX.email);
  const contact = {
    name: line(value['name'], CONTACT_LENGTHS_MAX.name) ?? null,
    email: email !== undefined && z.email().safeParse(email).success ? email : null,
    companyName: line(value['company_name'], CONTACT_LENGTHS_MAX.companyName) ?? null,
    note: text(value['note'], CONTACT_LENGTHS_MAX.note) ?? null,
  };
  return Object.values(contact).some((part) => part !== null) ? contact : null;
}

function readSection(value: unknown, budget: ByteBudget): Section | undefined {
  if (!isObject(value)) return undefined;
  const label = text(value['label'], LABEL_LENGTH_MAX);
  if (value['type'] === 'fields') {
    const fields = readWithin(budget, list(value['fields'], FIELDS_MAX), readField);
    return fields.length === 0 ? undefined : { type: 'fields', ...(label !== undefined && { label }), fields };
  }
  if (value['type'] !== 'table' || label === undefined) return undefined;
  const columns = uniqueByKey(readWithin(budget, list(value['columns'], COLUMNS_MAX), readColumn));
  if (columns.length === 0) return undefined;
  const rows = readWithin(budget, list(value['rows'], ROWS_MAX), (row) => readRow(row, columns));
  return { type: 'table', label, columns, rows };
}

interface ByteBudget {
  /** Returns whether the item fits the budget, and deducts it. After the first item that does not fit, no item fits. */
  take(item: object): boolean;
}

function byteBudget(bytesMax: number): ByteBudget {
  let left = bytesMax;
  return {
    take(item) {
      left -= Buffer.byteLength(JSON.stringify(item));
      return left >= 0;
    },
  };
}

/** The valid items, in order, within the budget: a long list is truncated, not refused. */
function readWithin<Item extends object>(
  budget: ByteBudget,
  values: readonly unknown[],
  read: (value: unknown) => Item | undefined,
): Item[] {
  const items: Item[] = [];
  for (const value of values) {
    const item = read(value);
    if (!item) continue;
    if (!budget.take(item)) break;
    items.push(item);
  }
  return items;
}

function readField(value: unknown): Field | undefined {
  if (!isObject(value)) return undefined;
  const label = text(value['label'], LABEL_LENGTH_MAX);
  const format = readFormat(value['format']);
  const read = readValue(value['value'], format);
  if (label === undefined || read === undefined) return undefined;
  const url = readUrl(value['url']);
  return {
    label,
    value: read,
    ...(format && { format }),
    ...(url !== undefined && { url }),
    ...(typeof value['bold'] === 'boolean' && { bold: value['bold'] }),
  };
}

function readColumn(value: unknown): Column | undefined {
  if (!isObject(value)) return undefined;
  const key = text(value['key'], LABEL_LENGTH_MAX);
  const label = text(value['label'], LABEL_LENGTH_MAX);
  const format = readFormat(value['format']);
  if (key === undefined || label === undefined || key === '__proto__') return undefined;
  return { key, label, ...(format && { format }) };
}

function uniqueByKey(columns: readonly Column[]): Column[] {
  return columns.filter(({ key }, index) => columns.findIndex((other) => other.key === key) === index);
}

/** Only what its columns announce; a cell that does not fit its column's format stays empty. */
function readRow(value: unknown, columns: readonly Column[]): Row | undefined {
  if (!isObject(value)) return undefined;
  const given = isObject(value['values']) ? value['values'] : {};
  const values: Record<string, Value> = {};
  for (const { key, format } of columns) {
    const read = Object.hasOwn(given, key) ? readValue(given[key], format) : undefined;
    if (read !== undefined) values[key] = read;
  }
  const url = readUrl(value['url']);
  return Object.keys(values).length === 0 ? undefined : { values, ...(url !== undefined && { url }) };
}

const dateOrTime = z.union([z.iso.date(), z.iso.datetime({ offset: true, local: true })]);

/** A format that does not exist is shown as text. */
function readFormat(value: unknown): Format | undefined {
  return FORMATS.find((format) => format === value);
}

function readValue(value: unknown, format: Format = 'text'): Value | undefined {
  if (format === 'money') return readMoney(value);
  const read = text(value, VALUE_LENGTH_MAX);
  if (read === undefined) return undefined;
  if (format === 'date') return dateOrTime.safeParse(read).success ? read : undefined;
  if (format === 'email') return z.email().safeParse(read).success ? read : undefined;
  if (format === 'phone') return /^\+[1-9]\d{3,14}$/.test(read) ? read : undefined;
  return read;
}

function readMoney(value: unknown): Value | undefined {
  if (!isObject(value)) return undefined;
  const amount = text(value['amount'], 40);
  const currency = text(value['currency'], 10);
  if (amount === undefined || currency === undefined || !/^-?\d+([.,]\d+)?$/.test(amount)) return undefined;
  return { amount, currency };
}

/** Only http and https addresses are accepted, because the dashboard makes a link of it and a script must not run there. */
function readUrl(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > URL_LENGTH_MAX) return undefined;
  const url = URL.parse(value);
  const isPlain = isWritable(value) && plainLine(value) === value;
  return url && (url.protocol === 'https:' || url.protocol === 'http:') && isPlain ? value.trim() : undefined;
}

/** A name: text in one line. */
function line(value: unknown, lengthMax: number): string | undefined {
  const read = text(value, lengthMax);
  return read === undefined ? undefined : text(plainLine(read), lengthMax);
}

/**
 * Text without the blanks around it, or a number or truth that is meant as text; cut to its limit in characters as
 * people count them.
 */
function text(value: unknown, lengthMax: number): string | undefined {
  const given = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
  if (typeof given !== 'string' || !isWritable(given)) return undefined;
  const meant = plainText(given).trim();
  if (meant === '') return undefined;
  // Once more: what is cut may begin a direction that it does not end.
  return meant.length <= lengthMax ? meant : plainText([...meant].slice(0, lengthMax).join(''));
}

/** NUL and half surrogate pairs survive neither protobuf nor our stores. */
function isWritable(value: string): boolean {
  return !value.includes('\0') && value.isWellFormed();
}

function list(value: unknown, lengthMax: number): unknown[] {
  return Array.isArray(value) ? value.slice(0, lengthMax) : [];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
