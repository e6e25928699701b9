import { invalid, type Refusal, refusal } from '@parley/errors';
import { type CallableNumber, type CallingRules, readCallableNumber } from '@parley/phone-numbers';
import type { CallLimits } from './call-usage.ts';
import type { CallAdmissions } from './call-admissions.ts';

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

const tooManyCalls: Refusal = refusal('too_many_calls', 'There are as many calls as there may be.');

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

/** A call that an employee wants to place. */
export interface PlacedCallRequest {
  readonly companyId: string;
  readonly employeeId: string;
  /** The id that the call will have; a repeated request with it is counted once. */
  readonly callId: string;
  readonly dialled: string;
}

/**
 * Decides whether an employee may place a call now, for phones and for requests alike. An admitted call is counted until it has
 * ended, or until `ended` is called for one that could not be created.
 */
export async function permitCall(
  admissions: Pick<CallAdmissions, 'admit'>,
  company: CompanyCallSettings,
  { companyId, employeeId, callId, dialled }: PlacedCallRequest,
): Promise<{ readonly allowed: CallableNumber } | { readonly refused: Refusal }> {
  const permitted = permitNumber(dialled, company);
  if ('refused' in permitted || permitted.allowed.isEmergency) return permitted;
  if (company.isSuspended) return { refused: tooManyCalls };
  const { country } = permitted.allowed;
  const request = { callId, employeeId, limits: company.limits, placed: { country } };
  const reached = await admissions.admit(companyId, request);
  return reached === null ? permitted : { refused: tooManyCalls };
}
