import type { ReactNode } from 'react';
import { dateAndTime, fullTime, shortTime, timeOfDay } from '../i18n/format.ts';

/** An instant in the reader's own time zone; the full date is its tooltip. */
export function Time(props: { at: string; withTime?: boolean; onlyTime?: boolean }): ReactNode {
  const at = new Date(props.at);
  const text = props.onlyTime ? timeOfDay(at) : props.withTime ? dateAndTime(at) : shortTime(at);
  return (
    <time dateTime={props.at} title={fullTime(at)}>
      {text}
    </time>
  );
}
