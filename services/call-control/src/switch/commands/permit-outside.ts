import type { Call } from '../../calls/model/call.ts';
import type { CompanyOf } from '../../clients/company-client.ts';
import type { Routing } from '../../clients/routing-client.ts';
import type { CallAdmissions } from '../../call-usage/call-admissions.ts';
import { permitNumber } from '../../call-usage/outbound-permission.ts';

/** Why a phone outside the company may not be called for a call, as a cause; null when it may. */
export type PermitOutside = (call: Call, legId: string, to: string) => Promise<string | null>;

/**
 * The rules of placed calls hold when the phone is called, whatever was true when its number was saved. It counts as a new
 * call of the company within the minute and among its usual ones, and not as one more at once: the call itself is counted.
 */
export function permitOutside(deps: {
  companyOf: CompanyOf;
  routing: Pick<Routing, 'number'>;
  admissions: Pick<CallAdmissions, 'admit' | 'ended'>;
}): PermitOutside {
  return async ({ companyId, number }, legId, to) => {
    const [company, own, dialled] = await Promise.all([
      deps.companyOf(companyId),
      deps.routing.number(number.id),
      deps.routing.number(to),
    ]);
    // The business number that is shown has been released, or the company calls itself.
    if (own?.companyId !== companyId || !own.isActive || dialled?.companyId === companyId) return 'CALL_REJECTED';
    const permitted = company && permitNumber(to, company);
    // What is dialled is what was checked: a caller id may have been written differently.
    if (!permitted || 'refused' in permitted || permitted.allowed.isEmergency || permitted.allowed.to !== to)
      return 'OUTGOING_CALL_BARRED';
    const limits = { ...company.limits, simultaneousCalls: Infinity };
    const { country } = permitted.allowed;
    const reached = await deps.admissions.admit(companyId, {
      callId: legId,
      employeeId: null,
      limits,
      placed: { country },
    });
    deps.admissions.ended({ companyId, id: legId });
    return reached === null ? null : 'USER_BUSY';
  };
}
