import type { LiveReport } from '../api/schema.d.ts';

type WaitingCaller = LiveReport['numbers'][number]['waiting'][number];

export interface Caller extends WaitingCaller {
  /** The name of the business number. */
  readonly number: string;
}

type AssistedCall = NonNullable<LiveReport['numbers'][number]['assisted']>[number];

/** A caller who talks with an assistant. */
export interface AssistedCaller extends AssistedCall {
  /** The name of the business number. */
  readonly number: string;
}

export interface Board {
  /** Callers of all numbers, the longest wait first. */
  readonly waiting: readonly Caller[];
  /** Callers with an assistant at any number, the longest conversation first. */
  readonly assisted: readonly AssistedCaller[];
  readonly ringing: number;
  readonly inConversation: number;
  readonly available: number;
  readonly atWork: number;
  readonly isOpen: boolean;
}

export function boardOf({ numbers, employees }: Pick<LiveReport, 'numbers' | 'employees'>): Board {
  const waiting = numbers
    .flatMap(({ name, waiting: callers }) => callers.map((caller) => ({ ...caller, number: name })))
    .toSorted((one, other) => other.waiting_secs - one.waiting_secs);
  const assisted = numbers
    .flatMap(({ name, assisted: callers = [] }) => callers.map((caller) => ({ ...caller, number: name })))
    .toSorted((one, other) => one.assistant.since.localeCompare(other.assistant.since));
  const sum = (of: (number: LiveReport['numbers'][number]) => number) =>
    numbers.reduce((total, number) => total + of(number), 0);
  return {
    waiting,
    assisted,
    ringing: sum(({ ringing }) => ringing),
    inConversation: sum(({ in_conversation: talking }) => talking),
    available: employees.filter(({ status }) => status === 'available').length,
    atWork: employees.filter(({ status }) => status !== 'logged_out' && status !== 'unknown').length,
    isOpen: numbers.some(({ open }) => open),
  };
}

const WARN_SECS = 60;
const BAD_SECS = 180;

export function urgency(secs: number): 'calm' | 'warn' | 'bad' {
  if (secs >= BAD_SECS) return 'bad';
  return secs >= WARN_SECS ? 'warn' : 'calm';
}
