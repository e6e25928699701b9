import type { Documents } from '@parley/aggregates';
import { type Decision, decided } from '@parley/errors';
import type { Keyword } from './keyword.ts';

/** The opt-out state of a phone number for a business number. Absent: no keyword was received. */
export interface OptOut {
  /** `pairId` of the two numbers. */
  readonly id: string;
  readonly companyId: string;
  readonly optedOut: boolean;
  /** The text with the keyword, and when it was stored, in microseconds. */
  readonly messageId: string;
  readonly messageAtMicros: number;
}

export type OptOuts = Documents<OptOut>;

/** The id of data about a business number and an external phone number. */
export function pairId(businessNumberId: string, externalNumber: string): string {
  return `${businessNumberId}:${externalNumber}`;
}

export async function isOptedOut(
  optOuts: OptOuts,
  { companyId, id }: { readonly companyId: string; readonly id: string },
  externalNumber: string,
): Promise<boolean> {
  return (await optOuts.of(companyId).get(pairId(id, externalNumber)))?.optedOut ?? false;
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

/** One confirmation for each keyword; a repeated opt-out is not confirmed. */
export function needsConfirmation(current: OptOut | undefined, { keyword, messageId }: ReceivedKeyword): boolean {
  return keyword !== 'stop' || (current?.optedOut === true && current.messageId === messageId);
}
