import { queryOptions } from '@tanstack/react-query';
import { api, ok } from './client.ts';
import { queryKeys } from './query-keys.ts';

/** Data that several sections show. */

export const businessNumbersQuery = queryOptions({
  queryKey: [...queryKeys.businessNumbers, 'list'],
  queryFn: ({ signal }) => ok(api.GET('/api/v1/business_numbers', { signal })),
  select: ({ main_numbers: numbers }) => numbers,
});

export const employeesQuery = queryOptions({
  queryKey: [...queryKeys.employees, 'list'],
  queryFn: ({ signal }) => ok(api.GET('/api/v1/employees', { signal })),
  select: ({ employees }) => employees,
});

export const assistantsQuery = queryOptions({
  queryKey: [...queryKeys.assistants, 'list'],
  queryFn: ({ signal }) => ok(api.GET('/api/v1/assistants', { signal })),
  select: ({ assistants }) => assistants,
});

export const companyQuery = queryOptions({
  queryKey: queryKeys.company,
  queryFn: ({ signal }) => ok(api.GET('/api/v1/company', { signal })),
});

/** The number of people with unseen activity. */
export const unseenQuery = queryOptions({
  queryKey: queryKeys.unseen,
  queryFn: ({ signal }) => ok(api.GET('/api/v1/activity/unseen', { signal })),
});

/** Opening hours pass without a message. */
const LIVE_REPORT_MS = 60_000;

/** What happens on the phones now; the live channel says when it has changed. */
export const liveReportQuery = queryOptions({
  queryKey: queryKeys.liveReport,
  queryFn: async ({ signal }) => {
    const live = await ok(api.GET('/api/v1/reports/live', { signal }));
    return { live, readAt: Date.now() };
  },
  refetchInterval: LIVE_REPORT_MS,
});
