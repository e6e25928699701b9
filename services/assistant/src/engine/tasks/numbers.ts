import { readCallableNumber, readPhoneNumber } from '@parley/phone-numbers';
import type { SessionFacts } from '../engine.ts';
import { spokenNumber } from '../speaking/spoken-figures.ts';

/** A stored number as it is repeated to the caller. */
export function spokenNumberOf(number: string, { company }: SessionFacts): string {
  const { country } = company.callingRules;
  const read = readPhoneNumber(number, country);
  if (!read) return [...number].join(' ');
  return spokenNumber(read, readPhoneNumber(read.national, country)?.number !== read.number);
}

/** Whether the company may call this number, which is in E.164. Emergency numbers are not called back. */
export function mayBeCalled(number: string, { company }: SessionFacts): boolean {
  const callable = readCallableNumber(number, company.callingRules);
  return typeof callable === 'object' && !callable.isEmergency;
}
