import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { employeesQuery } from '../api/shared-queries.ts';
import type { Call } from '../api/schema.d.ts';
import { QueryState } from '../ui/query-state.tsx';
import { useTimeline } from './call-queries.ts';
import { causeText, timelineText } from './timeline-text.ts';

const timeFormat = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });

export function Timeline({ call }: { call: Call }): ReactNode {
  const timeline = useTimeline(call);
  const employees = useQuery(employeesQuery);
  const names = new Map([...call.employees, ...(employees.data ?? [])].map(({ id, name }) => [id, name]));
  return (
    <section aria-labelledby="timeline">
      <h2 id="timeline">Timeline</h2>
      <QueryState query={timeline} what="timeline">
        {(entries) => (
          <ol className="timeline">
            {entries.map((entry, index) => (
              <li key={index}>
                <time dateTime={entry.at}>{timeFormat.format(new Date(entry.at))}</time>
                <span>
                  {timelineText(entry, (id) => names.get(id))} <span className="soft">{causeText(entry)}</span>
                </span>
              </li>
            ))}
          </ol>
        )}
      </QueryState>
    </section>
  );
}
