import type { InboxThread } from '../api/schema.d.ts';

/** All threads, those that are assigned to oneself and open, all open ones, or those that are done. */
export const THREAD_CHOICES = ['all', 'mine', 'open', 'done'] as const;
export type ThreadChoice = (typeof THREAD_CHOICES)[number];

/** The choice in an address; all threads for anything else. */
export const choiceOf = (text: string): ThreadChoice => THREAD_CHOICES.find((choice) => choice === text) ?? 'all';

export function belongsTo(
  choice: ThreadChoice,
  { assignee, state }: Pick<InboxThread, 'assignee' | 'state'>,
  employeeId: string,
): boolean {
  if (choice === 'mine') return state === 'open' && assignee?.id === employeeId;
  return choice === 'all' || choice === state;
}
