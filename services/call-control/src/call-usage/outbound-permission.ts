import { invalid, type Refusal, refusal } from '@parley/errors';
import { type CallableNumber, type CallingRules, readCallableNumber } from '@parley/phone-numbers';
import type { CallLimits } from './call-usage.ts';

/** The company's settings that decide which calls it may have. */
export interface CompanyCallSettings extends CallingRules {
  /** Its name and postal address in one line, for emergency services. */
  readonly address: string;
  /** Lets admins listen to calls of their coworkers. */
  readonly supervisionEnabled?: boolean;
  /** Systems with data about its callers are connected. */
  readonly hasIntegrations?: boolean;
  readonly limits: CallLimits;
  /** Nobody is connected, except with emergency services. */
  readonly isSuspended?: boolean;
}

export const tooManyCalls: Refusal = refusal('too_many_calls', 'There are as many calls as there may be.');

const destinationNotAllowed: Refusal = refusal('destination_not_allowed', 'The company may not call this number.');

/** Emergency numbers are always allowed. */
export function permitNumber(
  dialled: string,
  rules: CallingRules,
): { readonly allowed: CallableNumber } | { readonly refused: Refusal } {
  const read = readCallableNumber(dialled, rules);
  if (read === 'not_a_number') return { refused: invalid({ to: ['is not a valid phone number'] }) };
  return read === 'not_allowed' ? { refused: destinationNotAllowed } : { allowed: read };
}
