import { isAllowedDestination } from '@parley/phone-numbers';
import { awaitsCallback, type Call } from '../../calls/model/call.ts';
import type { Calls } from '../../calls/store/call-store.ts';
import type { CompanyOf } from '../../clients/company-client.ts';

/** Whether a waiting caller may be called back later. */
export type PermitCallback = (call: Pick<Call, 'companyId' | 'number' | 'remoteNumber'>) => Promise<boolean>;

/** However many calls a company may have at once: each stays in the queue for hours, and costs the caller nothing. */
const CALLBACKS_MAX = 500;

/**
 * As many may wait to be called back as the company may have calls at once. One that replaces an earlier one of the same caller
 * is no further one. They use no line: the limits hold again when the caller is called (`permit-outside.ts`).
 */
export function permitCallback(deps: { companyOf: CompanyOf; calls: Pick<Calls, 'queueOf'> }): PermitCallback {
  return async ({ companyId, number, remoteNumber }) => {
    const company = await deps.companyOf(companyId);
    if (!company || company.isSuspended || !isAllowedDestination(remoteNumber, company)) return false;
    const others = (await deps.calls.queueOf(companyId)).filter(
      (queued) => awaitsCallback(queued) && (queued.number.id !== number.id || queued.remoteNumber !== remoteNumber),
    );
    return others.length < Math.min(company.limits.simultaneousCalls, CALLBACKS_MAX);
  };
}
