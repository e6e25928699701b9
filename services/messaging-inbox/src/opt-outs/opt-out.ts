import { type Decision, decided } from '@parley/errors';
import type { Keyword } from './keyword.ts';

/** Whether somebody wants texts from a business number. Absent: nobody has said anything. */
export interface OptOut {
  /** `pairId` of the two numbers. */
  readonly id: string;
  readonly companyId: string;
  readonly optedOut: boolean;
  /** The text that said so, and when it was stored, in microseconds. */
  readonly messageId: string;
  readonly messageAtMicros: number;
}

/** A keyword as it was received. */
export interface ReceivedKeyword {
  readonly keyword: Keyword;
  readonly companyId: string;
  readonly messageId: string;
  readonly messageAtMicros: number;
}

/** Texts that are dealt with late or twice change nothing: the newest keyword counts. */
export function applyKeyword(
  current: OptOut | undefined,
  id: string,
  { keyword, companyId, messageId, messageAtMicros }: ReceivedKeyword,
): Decision<OptOut | null> {
  if (keyword === 'help') return decided(current ?? null);
  if (current && current.messageAtMicros >= messageAtMicros) return decided(current);
  const optedOut = keyword === 'stop';
  if ((current?.optedOut ?? false) === optedOut) return decided(current ?? null);
  return decided({ id, companyId, optedOut, messageId, messageAtMicros });
}

/** One confirmation for each keyword; whoever has opted out already is not told again. */
export function needsConfirmation(current: OptOut | undefined, { keyword, messageId }: ReceivedKeyword): boolean {
  return keyword !== 'stop' || (current?.optedOut === true && current.messageId === messageId);
}
