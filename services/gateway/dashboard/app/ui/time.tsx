import type { ReactNode } from 'react';

const DAY_MS = 86_400_000;
const timeOfDay = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'medium' });

/** An instant in the reader's own time zone: the time of day for the last hours, otherwise the date. */
export function Time(props: { at: string; withTime?: boolean }): ReactNode {
  const at = new Date(props.at);
  const isRecent = Math.abs(Date.now() - at.getTime()) < DAY_MS;
  const text = isRecent
    ? timeOfDay.format(at)
    : props.withTime
      ? `${day.format(at)}, ${timeOfDay.format(at)}`
      : day.format(at);
  return (
    <time dateTime={props.at} title={full.format(at)}>
      {text}
    </time>
  );
}
