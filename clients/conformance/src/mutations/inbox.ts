import type { Mutation } from './mutation.ts';
import {
  acceptedInstead,
  changeBody,
  changeField,
  changeSent,
  reversed,
  statusInstead,
  withoutParameter,
} from './ways.ts';

const LIST = { method: 'GET', path: '/api/v1/inbox' };
const ACTIVITY = { method: 'GET', path: '/api/v1/inbox/:number/activity' };
const SEEN = { method: 'POST', path: '/api/v1/inbox/:number/seen' };
const OF_AREA = { areas: ['inbox'], profile: 'full' } as const;

export const inboxMutations: readonly Mutation[] = [
  {
    id: 'inbox-oldest-first',
    sentence: 'The inbox begins with the oldest activity.',
    ...OF_AREA,
    where: LIST,
    answer: reversed('threads'),
  },
  {
    id: 'inbox-unseen-ignored',
    sentence: 'The parameter `unseen` is ignored.',
    ...OF_AREA,
    where: LIST,
    request: withoutParameter('unseen'),
  },
  {
    id: 'inbox-number-ignored',
    sentence: 'The business number is ignored in the activity.',
    ...OF_AREA,
    where: ACTIVITY,
    request: withoutParameter('business_number_id'),
  },
  {
    id: 'inbox-wrong-cursor-ignored',
    sentence: 'A cursor that is none begins with the first page.',
    areas: ['inbox'],
    profile: 'api',
    where: LIST,
    answer: acceptedInstead(422, 200, () => ({ threads: [], next_cursor: null })),
  },
  {
    id: 'inbox-latest-text-shown',
    sentence: 'The latest item of a thread has its text.',
    ...OF_AREA,
    where: LIST,
    answer: changeField('latest_item', (item, { preview }) => ({ ...item, text: preview })),
  },
  {
    id: 'inbox-seen-to-the-end',
    sentence: 'Everything is marked as seen, whatever was observed.',
    ...OF_AREA,
    where: SEEN,
    request: changeSent('through', (through) =>
      typeof through === 'string' && through.includes('.') ? new Date().toISOString() : through,
    ),
  },
  {
    id: 'inbox-seen-with-200',
    sentence: 'Marking as seen is answered with 200.',
    ...OF_AREA,
    where: SEEN,
    answer: statusInstead(204, 200),
  },
  {
    id: 'inbox-observed-later',
    sentence: 'Every page of an activity has an `observed_at` of its own.',
    ...OF_AREA,
    where: ACTIVITY,
    answer: changeBody((body) => ({ ...body, observed_at: `${new Date().toISOString().slice(0, -1)}000Z` })),
  },
  {
    id: 'inbox-answers-counted',
    sentence: 'What was sent counts as unseen.',
    ...OF_AREA,
    where: LIST,
    answer: changeField('unseen_count', (count, { latest_item: item }) =>
      item?.direction === 'outbound' ? count + 1 : count,
    ),
  },
];
