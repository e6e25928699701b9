import type { Call, Employee } from '../api/schema.d.ts';

type CountedCall = Pick<Call, 'state' | 'direction' | 'started_at' | 'answered_at'>;

/** Today at a glance. */
export interface Figures {
  readonly calls: number;
  readonly answered: number;
  readonly waiting: number;
  /** In seconds; null when nobody waits. */
  readonly longestWait: number | null;
  /** Indexed by hour of the day. */
  readonly today: readonly number[];
  readonly yesterday: readonly number[];
}

/** `calls`: since yesterday's midnight. Days are those of the reader's time zone. */
export function figuresOf(calls: readonly CountedCall[], now: Date): Figures {
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate());
  const started = calls.flatMap((call) => (call.started_at === null ? [] : [{ call, at: new Date(call.started_at) }]));
  const ofToday = started.filter(({ at }) => at >= midnight);
  const waits = calls
    .filter(({ state, direction }) => direction === 'inbound' && (state === 'queued' || state === 'transferring'))
    .map(({ started_at: at }) => (at === null ? 0 : (now.getTime() - Date.parse(at)) / 1000));
  return {
    calls: ofToday.length,
    answered: ofToday.filter(({ call }) => call.answered_at !== null).length,
    waiting: waits.length,
    longestWait: waits.length === 0 ? null : Math.max(...waits),
    today: byHour(ofToday.map(({ at }) => at)),
    yesterday: byHour(started.filter(({ at }) => at < midnight).map(({ at }) => at)),
  };
}

function byHour(times: readonly Date[]): number[] {
  const hours = Array.from({ length: 24 }, () => 0);
  for (const at of times) hours[at.getHours()]! += 1;
  return hours;
}

/** The hours that a picture of the day shows: office hours, and whatever else there are calls in. */
export function shownHours({ today, yesterday }: Pick<Figures, 'today' | 'yesterday'>): readonly number[] {
  const used = today.flatMap((count, hour) => (count + (yesterday[hour] ?? 0) > 0 ? [hour] : []));
  const first = Math.min(8, ...used);
  const last = Math.max(17, ...used);
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** `all` counts the employees who can be called. */
export function atWork(employees: readonly Pick<Employee, 'status'>[]): { onPhone: number; all: number } {
  const present = employees.filter(({ status }) => status !== 'logged_out' && status !== 'unknown');
  return { onPhone: present.filter(({ status }) => status === 'on_call').length, all: present.length };
}
