import { readFile } from 'node:fs/promises';
import { wrongUsage } from '../errors.ts';
import type { System } from '../system.ts';

export interface ApiOptions {
  readonly field?: readonly string[];
  readonly data?: string;
  readonly query?: readonly string[];
  readonly header?: readonly string[];
  readonly include?: boolean;
  readonly paginate?: boolean;
}

/** A request as it is sent. */
export interface ApiInput {
  readonly method: string;
  /** Below `/api/v1`. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: URLSearchParams | Uint8Array<ArrayBuffer> | undefined;
}

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const PREFIX = '/api/v1';

export async function readApiInput(
  method: string,
  target: string,
  options: ApiOptions,
  system: Pick<System, 'readStandardInput'>,
): Promise<ApiInput> {
  const verb = method.toUpperCase();
  if (!METHODS.includes(verb)) throw wrongUsage(`${method} is no method`, `Use one of ${METHODS.join(', ')}.`);
  const { path, query: own } = readTarget(target);
  const { field: fields = [], data, query = [], header = [], paginate = false } = options;
  if (fields.length > 0 && data !== undefined) throw wrongUsage('-f and -d are alternatives');
  const hasBody = fields.length > 0 || data !== undefined;
  if (hasBody && verb === 'GET') throw wrongUsage('GET has no body', 'Use -q for parameters of the query.');
  if (paginate && verb !== 'GET') throw wrongUsage('--paginate is for GET');
  const headers = Object.fromEntries(header.map(readHeader));
  const hasType = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type');
  const type = data === undefined ? 'application/x-www-form-urlencoded' : typeOf(data);
  return {
    method: verb,
    path,
    query: { ...own, ...Object.fromEntries(query.map((text) => readPair(text, '-q'))) },
    headers: { ...(hasBody && !hasType && { 'Content-Type': type }), ...headers },
    body: data === undefined ? formOf(fields) : await readData(data, system),
  };
}

/** A path below `/api/v1`, with or without it, and the parameters behind it. */
function readTarget(target: string): { path: string; query: Record<string, string> } {
  const [beginning = '', ...rest] = target.split('?');
  const path = beginning.startsWith(`${PREFIX}/`) ? beginning.slice(PREFIX.length) : beginning;
  if (!path.startsWith('/') || path.split('/').some((part) => /^(\.|%2e){1,2}$/i.test(part)))
    throw wrongUsage(`${target} is no path of the API`, 'It begins with a slash, such as /contacts.');
  return { path, query: Object.fromEntries(new URLSearchParams(rest.join('?'))) };
}

/**
 * Fields are sent as a form, whose texts the service reads as what a field is: a number, a boolean, null, or with `name[]` one of a list. A
 * phone number or a postal code stays a text.
 */
function formOf(fields: readonly string[]): URLSearchParams | undefined {
  return fields.length === 0 ? undefined : new URLSearchParams(fields.map((text) => readPair(text, '-f')));
}

function readPair(text: string, option: string): [name: string, value: string] {
  const at = text.indexOf('=');
  if (at < 1) throw wrongUsage(`${option} takes name=value, not ${text}`);
  return [text.slice(0, at), text.slice(at + 1)];
}

function readHeader(text: string): [name: string, value: string] {
  const at = text.indexOf(':');
  const [name, value] = [text.slice(0, at), text.slice(at + 1).trim()];
  if (at < 1 || !/^[\w!#$%&'*+.^`|~-]+$/.test(name) || !/^[\x20-\x7e]*$/.test(value))
    throw wrongUsage('-H takes "Name: value"');
  return [name, value];
}

async function readData(data: string, system: Pick<System, 'readStandardInput'>): Promise<Uint8Array<ArrayBuffer>> {
  if (data === '@-') return new Uint8Array(await system.readStandardInput());
  if (!data.startsWith('@')) return new TextEncoder().encode(data);
  const file = data.slice(1);
  try {
    return new Uint8Array(await readFile(file));
  } catch (error) {
    throw wrongUsage(`cannot read ${file}: ${(error as NodeJS.ErrnoException).code ?? String(error)}`);
  }
}

function typeOf(data: string): string {
  return /^@.*\.csv$/i.test(data) ? 'text/csv' : 'application/json';
}
