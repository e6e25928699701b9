import { useQuery } from '@tanstack/react-query';
import { api, ok } from '../api/client.ts';
import { queryKeys } from '../api/query-keys.ts';
import type { InboxThread } from '../api/schema.d.ts';
import { leftByAssistant } from '../calls/assistant-text.ts';
import { lastDays } from '../reports/report-period.ts';
import { useReportZone } from '../reports/use-report-zone.ts';
import { isAdmin, session } from '../session.ts';
import { hoursOf } from './figures.ts';

const REFRESH_MS = 10_000;
const WAITING_SHOWN = 5;
/** Some of the unseen ones have been answered since. */
const UNSEEN_READ = 20;

/** The calls of today in all, and by hour beside those of yesterday; members see the hours of their own calls. */
export function useCallsOfDay() {
  const zone = useReportZone();
  return useQuery({
    queryKey: [...queryKeys.reports, 'home', zone],
    enabled: zone !== undefined,
    queryFn: async ({ signal }) => {
      const { timezone = '', ...days } = lastDays(2, zone);
      const [today, hours] = await Promise.all([
        ok(
          api.GET('/api/v1/reports/calls', {
            params: { query: { from: days.to, to: days.to, timezone, group_by: 'employee' } },
            signal,
          }),
        ),
        ok(
          api.GET('/api/v1/reports/calls', {
            params: {
              query: { ...days, timezone, group_by: 'hour', ...(!isAdmin && { employee_id: session.employeeId }) },
            },
            signal,
          }),
        ),
      ]);
      return { calls: today.totals.total, answered: today.totals.answered, hours: hoursOf(hours.rows, days) };
    },
    refetchInterval: REFRESH_MS,
  });
}

/** People whose last word nobody has seen. `count` is undefined when there are too many to be read at once. */
export function useUnanswered() {
  return useQuery({
    queryKey: [...queryKeys.inbox, 'home'],
    queryFn: ({ signal }) =>
      ok(api.GET('/api/v1/inbox', { params: { query: { unseen: 'true', limit: String(UNSEEN_READ) } }, signal })),
    select: ({ threads, next_cursor: next }) => {
      const unanswered = threads.filter(({ latest_item: latest }) => isUnanswered(latest));
      return { shown: unanswered.slice(0, WAITING_SHOWN), count: next === null ? unanswered.length : undefined };
    },
  });
}

function isUnanswered(latest: InboxThread['latest_item']): boolean {
  const { type, direction, missed } = latest;
  return direction !== 'outbound' && (type !== 'call' || missed === true || leftByAssistant(latest) !== undefined);
}
