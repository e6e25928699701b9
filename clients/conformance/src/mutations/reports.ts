import type { Mutation } from './mutation.ts';
import { changeBody, withoutParameter } from './ways.ts';

const CALLS = { method: 'GET', path: '/api/v1/reports/calls' };
const LIVE = { method: 'GET', path: '/api/v1/reports/live' };

export const reportMutations: readonly Mutation[] = [
  {
    id: 'reports-empty-days-left-out',
    sentence: 'Days without a call have no row.',
    areas: ['reports'],
    profile: 'api',
    where: CALLS,
    answer: changeBody((body) => ({ ...body, rows: body.rows.filter(({ total }: { total: number }) => total > 0) })),
  },
  {
    id: 'reports-in-another-time-zone',
    sentence: 'The time zone of a report is ignored.',
    areas: ['reports'],
    profile: 'full',
    where: CALLS,
    request: withoutParameter('timezone'),
  },
  {
    id: 'reports-abandoned-not-counted',
    sentence: 'Callers who hung up while they waited are not counted as abandoned.',
    areas: ['reports'],
    profile: 'full',
    where: CALLS,
    answer: changeBody((body) => ({ ...body, totals: { ...body.totals, abandoned: 0 } })),
  },
  {
    id: 'reports-last-in-front',
    sentence: 'Who came last is shown in front of the queue.',
    areas: ['reports'],
    profile: 'full',
    where: LIVE,
    answer: changeBody((body) => ({
      ...body,
      numbers: body.numbers.map((one: any) => ({ ...one, waiting: one.waiting.toReversed() })),
    })),
  },
];
