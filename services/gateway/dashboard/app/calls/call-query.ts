import type { operations } from '../api/schema.d.ts';
import { readersZone } from '../i18n/zoned-time.ts';

export type CallQuery = NonNullable<operations['listCalls']['parameters']['query']>;

/** The filters in the address of the list, by name. */
export const CALL_FILTERS = [
  'query',
  'direction',
  'main_number_id',
  'state',
  'phone_number',
  'tag',
  'from',
  'to',
] as const;

export type CallFilter = (typeof CALL_FILTERS)[number];

/** The API's parameters for the filters; one that makes no sense is left out. Days are those of the reader's time zone. */
export function callQuery(filter: (name: CallFilter) => string): CallQuery {
  const direction = filter('direction');
  const query: CallQuery = {
    query: filter('query'),
    main_number_id: filter('main_number_id'),
    state: filter('state'),
    phone_number: filter('phone_number'),
    tag: filter('tag'),
    started_after: dayAt(filter('from'), '00:00:00.000'),
    started_before: dayAt(filter('to'), '23:59:59.999'),
    ...((direction === 'inbound' || direction === 'outbound') && { direction }),
  };
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== '' && value !== undefined));
}

/** The file of the calls that the filters leave; it has no search in words, and the last 30 days unless others are chosen. */
export function exportAddress(filter: (name: CallFilter) => string): string {
  const names = CALL_FILTERS.filter((name) => name !== 'query' && filter(name) !== '');
  const query = new URLSearchParams(names.map((name) => [name, filter(name)]));
  query.set('timezone', readersZone());
  return `/api/v1/calls/export.csv?${query.toString()}`;
}

function dayAt(day: string, time: string): string | undefined {
  const at = new Date(`${day}T${time}`);
  return /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(at.getTime()) ? at.toISOString() : undefined;
}
