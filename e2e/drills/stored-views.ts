import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Workload } from './workload.ts';

const OPENAPI = path.resolve(import.meta.dirname, '../../services/gateway/openapi.json');
const LIMIT = 100;
/** They answer about the moment: who is online, how a call would be routed now. */
const MOMENTARY = [
  '/reports/live',
  '/calls/active',
  '/caller_context',
  '/business_numbers/{id}/route_explanation',
  '/holidays',
];
/** When something was read, and addresses that are signed anew for each reader. */
const OF_THE_READER = /^(observed_at|next_cursor|complete_through|.*url)$/;
const ITEMS_MAX = 60;

/** What every GET of the API shows a company, by its path; lists with all their pages, and each of their items. */
export async function readEverything({ answer }: Pick<Workload, 'answer'>): Promise<Map<string, string>> {
  const { paths } = JSON.parse(await readFile(OPENAPI, 'utf8')) as { paths: Record<string, { get?: Operation }> };
  const operations = Object.entries(paths).flatMap(([name, { get }]) =>
    get && name.startsWith('/api/v1/') ? [{ name: name.slice('/api/v1'.length), ...get }] : [],
  );
  const views = new Map<string, string>();
  const idsOf = new Map<string, string[]>();
  const read = async (name: string) => {
    const { status, body } = await answer('GET', name);
    if (status === 200) views.set(name, JSON.stringify(withoutReader(body)));
    else views.set(name, String(status));
    return body;
  };
  for (const { name, parameters = [], responses } of operations) {
    const required = parameters.filter((parameter) => parameter.required);
    const isJson = responses['200']?.content?.['application/json'] !== undefined;
    if (required.length > 0 || MOMENTARY.includes(name) || !isJson) continue;
    const isPaged = parameters.some((parameter) => parameter.name === 'cursor');
    const ids: string[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined;) {
      const query: string = isPaged ? `?limit=${LIMIT}${cursor && `&cursor=${encodeURIComponent(cursor)}`}` : '';
      const body = await read(name + query);
      ids.push(...itemsIn(body));
      cursor = isPaged ? (body?.next_cursor ?? undefined) : undefined;
    }
    idsOf.set(name, ids);
  }
  for (const { name } of operations.filter(({ name }) => !MOMENTARY.includes(name))) {
    const [, list = '', rest = ''] = /^(\/[a-z_]+)\/\{\w+\}(.*)$/.exec(name) ?? [];
    for (const id of (idsOf.get(list) ?? []).slice(0, ITEMS_MAX))
      await read(`${list}/${encodeURIComponent(id)}${rest}`);
  }
  return views;
}

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly required?: boolean }[];
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>;
}

/** The ids of a list's items; threads have the phone number instead. */
function itemsIn(body: unknown): string[] {
  const list = Array.isArray(body) ? body : Object.values(body ?? {}).find(Array.isArray);
  return (list ?? []).flatMap(
    ({ id, phone_number: phone }: { id?: string; phone_number?: string }) => phone ?? id ?? [],
  );
}

function withoutReader(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutReader);
  if (value === null || typeof value !== 'object') return value;
  const kept = Object.entries(value).filter(([name]) => !OF_THE_READER.test(name));
  return Object.fromEntries(kept.map(([name, inner]) => [name, withoutReader(inner)]));
}

/** The paths whose answers differ, each with both of them. */
export function differences(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  const names = [...new Set([...before.keys(), ...after.keys()])];
  return names
    .filter((name) => before.get(name) !== after.get(name))
    .map((name) => `${name}\n    ${firstDifference(before.get(name) ?? 'nothing', after.get(name) ?? 'nothing')}`);
}

const SHOWN = 160;

function firstDifference(before: string, after: string): string {
  let at = 0;
  while (before[at] === after[at] && at < before.length) at++;
  const from = Math.max(0, at - SHOWN / 2);
  return `${before.slice(from, from + SHOWN)}\n    ${after.slice(from, from + SHOWN)}`;
}
