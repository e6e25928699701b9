import type { Mutation } from './mutation.ts';
import {
  acceptedInstead,
  changeBody,
  changeField,
  reversed,
  seenInstead,
  withoutField,
  withoutParameter,
} from './ways.ts';

const LOG = { method: 'GET', path: '/api/v1/events' };
const GET = { method: 'GET', path: '/api/v1/events/:id' };
const API = { areas: ['events'], profile: 'api' } as const;
const FULL = { areas: ['events'], profile: 'full' } as const;

export const eventMutations: readonly Mutation[] = [
  {
    id: 'events-newest-first',
    sentence: 'The log of events begins with the newest one.',
    ...API,
    where: LOG,
    answer: reversed('events'),
  },
  {
    id: 'events-types-ignored',
    sentence: 'The types that a reader asks for are ignored.',
    ...API,
    where: LOG,
    request: withoutParameter('types'),
  },
  {
    id: 'events-limit-ignored',
    sentence: 'The size of a page of events cannot be chosen.',
    ...API,
    where: LOG,
    request: withoutParameter('limit'),
  },
  {
    id: 'events-cursor-ends',
    sentence: 'The last page of events has no cursor.',
    ...API,
    where: LOG,
    answer: changeField('next_cursor', (cursor, { has_more: hasMore }) => (hasMore ? cursor : null)),
  },
  {
    id: 'events-any-cursor-accepted',
    sentence: 'A cursor that is none gives an empty page.',
    ...API,
    where: LOG,
    answer: acceptedInstead(422, 200, () => ({ events: [], next_cursor: 'x', has_more: false })),
  },
  {
    id: 'events-foreign-shown',
    sentence: "Another company's event is shown.",
    ...FULL,
    where: GET,
    answer: seenInstead(404, 200, ({ request }) => `GET ${request.path}`),
  },
  {
    id: 'events-without-recorded-since',
    sentence: 'The log does not say since when it is kept.',
    ...API,
    where: LOG,
    answer: withoutField('recorded_since'),
  },
  {
    id: 'events-with-names-of-lists',
    sentence: 'A call in events has the names of numbers that lists have.',
    ...FULL,
    where: LOG,
    answer: changeBody((body) => ({ ...body, events: body.events.map(withNamesOfLists) })),
  },
  {
    id: 'events-initiated-by-nobody-omitted',
    sentence: 'An inbound call in events has no `initiated_by`.',
    ...FULL,
    where: LOG,
    answer: withoutField('initiated_by'),
  },
  {
    id: 'events-rejected-without-reason',
    sentence: 'A rejected registration does not say why.',
    ...FULL,
    where: LOG,
    answer: withoutField('reason'),
  },
  {
    id: 'events-contacts-in-short',
    sentence: 'Events of contacts have no note.',
    ...API,
    where: LOG,
    answer: withoutField('note'),
  },
];

function withNamesOfLists(event: any): unknown {
  const { main_number_number: number, ...data } = event.data;
  return number === undefined ? event : { ...event, data: { ...data, main_number: number } };
}
