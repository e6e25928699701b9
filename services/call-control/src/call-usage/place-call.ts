import type { Refusal } from '@parley/errors';
import type { CallableNumber } from '@parley/phone-numbers';
import type { CallAdmissions } from './call-admissions.ts';
import { type CompanyCallSettings, permitNumber, tooManyCalls } from './outbound-permission.ts';

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
