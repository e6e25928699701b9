import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Call } from '../api/schema.d.ts';
import { duration } from '../ui/duration.ts';
import { Page } from '../ui/page.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { Time } from '../ui/time.tsx';
import { useCall, usePersonName } from './call-queries.ts';
import { directionText, employeeNames, isInProgress, outcomeText, remoteNumber } from './call-text.ts';
import { Recording } from './recording.tsx';
import { Timeline } from './timeline.tsx';

export function CallPage({ id }: { id: string }): ReactNode {
  const call = useCall(id);
  const name = usePersonName(call.data);
  return (
    <QueryState query={call} what="call" titleOfFailure="Call">
      {(data) => {
        const person = name ?? remoteNumber(data) ?? 'withheld number';
        return (
          <Page title={`Call with ${person}`}>
            <CallFacts call={data} person={person} />
            <section aria-labelledby="summary">
              <h2 id="summary">Summary</h2>
              {data.summary ? (
                <p className="summary">{data.summary}</p>
              ) : (
                <p className="soft">{missingSummary(data)}</p>
              )}
            </section>
            <Recording call={data} personName={name} refetch={async () => (await call.refetch()).data} />
            <Timeline call={data} />
          </Page>
        );
      }}
    </QueryState>
  );
}

function CallFacts({ call, person }: { call: Call; person: string }): ReactNode {
  const number = remoteNumber(call);
  const employees = employeeNames(call);
  return (
    <section aria-labelledby="participants">
      <h2 id="participants">Participants</h2>
      <p role="status" className={isInProgress(call) ? 'in-progress' : undefined}>
        {directionText(call)}: {outcomeText(call).toLowerCase()}
        {call.duration !== null && `, ${duration(call.duration)}`}
      </p>
      <dl className="facts">
        <div>
          <dt>Person</dt>
          <dd>
            {number === undefined ? (
              'Withheld number'
            ) : (
              <Link href={`~/dashboard/inbox/${encodeURIComponent(number)}`}>{person}</Link>
            )}
            {number !== undefined && number !== person && <span className="soft"> {number}</span>}
          </dd>
        </div>
        <div>
          <dt>Business number</dt>
          <dd>
            <Link href={`~/dashboard/numbers/${encodeURIComponent(call.main_number_id)}`}>
              {call.main_number_name || call.main_number_formatted}
            </Link>{' '}
            <span className="soft">{call.main_number_formatted}</span>
          </dd>
        </div>
        <div>
          <dt>Employees</dt>
          <dd>{employees.length > 0 ? employees.join(', ') : 'Nobody yet'}</dd>
        </div>
        {call.started_at && (
          <div>
            <dt>Started</dt>
            <dd>
              <Time at={call.started_at} withTime />
            </dd>
          </div>
        )}
      </dl>
    </section>
  );
}

function missingSummary(call: Call): string {
  if (isInProgress(call)) return 'Written after the call.';
  return call.answered_at === null ? 'Nobody answered, so there is nothing to summarise.' : 'There is no summary.';
}
