import type { Mutation } from './mutation.ts';
import { changeBody, changeSent } from './ways.ts';

const OUTSIDE = { method: 'PUT', path: '/api/v1/business_numbers/:id/outside_business_hours_config' };
const GET = { method: 'GET', path: '/api/v1/business_numbers/:id' };
const HOURS = { areas: ['business-hours'], profile: 'full' } as const;

export const businessHoursMutations: readonly Mutation[] = [
  {
    id: 'business-hours-days-twice-accepted',
    sentence: 'Of a day that is there twice, the last entry counts.',
    ...HOURS,
    where: OUTSIDE,
    request: changeSent('business_hours', (entries) =>
      Array.isArray(entries)
        ? entries.filter(
            (one, index) => entries.findLastIndex(({ day_of_week: day }) => day === one.day_of_week) === index,
          )
        : entries,
    ),
  },
  {
    id: 'business-hours-replaced',
    sentence: 'Days that are left out are closed instead of kept.',
    ...HOURS,
    where: OUTSIDE,
    request: changeSent('business_hours', (entries) => {
      if (!Array.isArray(entries) || entries.length === 0) return entries;
      const named = new Set(entries.map((entry) => entry?.day_of_week));
      const others = [0, 1, 2, 3, 4, 5, 6].filter((day) => !named.has(day));
      return [...entries, ...others.map((day_of_week) => ({ day_of_week, open: false }))];
    }),
  },
  {
    id: 'business-hours-from-sunday',
    sentence: 'The list of days begins with Sunday.',
    ...HOURS,
    where: GET,
    answer: changeBody((body) => ({
      ...body,
      business_hours: [...body.business_hours.slice(6), ...body.business_hours.slice(0, 6)],
    })),
  },
];
