import { type Cell, percentile, type Spread } from '../cells/cell.ts';
import type { ReportGroup } from '../totals/total.ts';

/** The figures of a report of texts. */
export interface MessageFigures {
  readonly sent: number;
  readonly received: number;
  readonly delivered: number;
  readonly failed: number;
  readonly parts: number;
  readonly people: number;
  readonly firstResponseSecsP50: number;
  readonly firstResponseSecsP90: number;
}

/** `from` is the first day of the report: nobody who wrote before it is new. */
export function messageFigures({ counts, spreads }: Cell, of: ReportGroup | 'totals', from: string): MessageFigures {
  const count = (name: string) => counts[name] ?? 0;
  const { responses } = spreads;
  // A row that is a single day or hour has everybody once; in others, whoever was in an earlier part of the time is not new.
  const isSingle = of === 'day' || of === 'hour';
  const people = spreads[of === 'weekday' ? 'weekdayPeople' : 'people'];
  return {
    sent: count('sent'),
    received: count('received'),
    delivered: count('delivered'),
    failed: count('failed'),
    parts: count('parts'),
    people: sizeBefore(people, isSingle ? undefined : from),
    firstResponseSecsP50: percentile(responses, 50),
    firstResponseSecsP90: percentile(responses, 90),
  };
}

function sizeBefore(spread: Spread = {}, date: string | undefined): number {
  return Object.entries(spread).reduce(
    (sum, [key, times]) => (date === undefined || key < date ? sum + times : sum),
    0,
  );
}
