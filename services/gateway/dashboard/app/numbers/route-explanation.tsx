import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import type { RouteExplanation } from '../api/schema.d.ts';
import { TextField } from '../ui/field.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { useDebounced } from '../ui/use-debounced.ts';
import { type RouteProposal, routeExplanationQuery } from './business-number-queries.ts';
import { flowTexts, reasonTexts } from './explanation-text.ts';
import { instantIn, wallClockIn } from './zoned-time.ts';

/** What a caller experiences at a time, with the changes that are not saved yet. */
export function RouteExplanationSection(props: {
  numberId: string;
  timezone: string;
  /** The changes; undefined while something is missing in them. */
  proposal: RouteProposal | undefined;
}): ReactNode {
  const { numberId, timezone, proposal } = props;
  const [time, setTime] = useState(() => wallClockIn(timezone, new Date()));
  const instant = instantIn(timezone, time);
  const id = useId();
  const isProposed = proposal !== undefined && Object.keys(proposal).length > 0;
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>Route explanation</h2>
      <TextField
        type="datetime-local"
        label="What happens at …"
        hint={`In ${timezone}.${isProposed ? ' With your changes that are not saved yet.' : ''}`}
        value={time}
        onChange={(event) => setTime(event.target.value)}
      />
      {proposal === undefined ? (
        <p className="soft">Complete your changes to see what they do.</p>
      ) : instant ? (
        <Explanation numberId={numberId} proposal={{ ...proposal, at: instant.toISOString() }} />
      ) : (
        <p className="soft">Choose a date and a time.</p>
      )}
    </section>
  );
}

function Explanation({ numberId, proposal }: { numberId: string; proposal: RouteProposal }): ReactNode {
  // As text: the object is new with every rendering.
  const settled = JSON.parse(useDebounced(JSON.stringify(proposal))) as RouteProposal;
  const explanation = useQuery(routeExplanationQuery(numberId, settled));
  return (
    <div aria-live="polite">
      <QueryState query={explanation} what="explanation">
        {(data) => <Texts explanation={data} />}
      </QueryState>
    </div>
  );
}

function Texts({ explanation }: { explanation: RouteExplanation }): ReactNode {
  const { flow, employees, no_answer: noAnswer } = explanation;
  return (
    <>
      <Paragraphs texts={reasonTexts(explanation)} />
      {flow && (
        <>
          <h3>Then</h3>
          <Paragraphs texts={flowTexts(flow, employees)} />
        </>
      )}
      {flow && noAnswer && (
        <>
          <h3>If nobody answers</h3>
          <Paragraphs texts={flowTexts(noAnswer.flow, noAnswer.employees)} />
        </>
      )}
    </>
  );
}

function Paragraphs({ texts }: { texts: readonly string[] }): ReactNode {
  return (
    <ul className="sentences">
      {texts.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  );
}
