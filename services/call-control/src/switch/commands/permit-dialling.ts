import { isAllowedDestination } from '@parley/phone-numbers';
import { awaitsCallback, type Call } from '../../calls/model/call.ts';
import type { Calls } from '../../calls/store/call-store.ts';
import type { CallAdmissions } from '../../call-usage/call-admissions.ts';
import { permitNumber } from '../../call-usage/call-permission.ts';
import type { CompanyOf } from '../../clients/company-client.ts';
import type { Routing } from '../../clients/routing-client.ts';

export interface PermitOutsideDeps {
  readonly companyOf: CompanyOf;
  readonly routing: Pick<Routing, 'number'>;
  readonly admissions: Pick<CallAdmissions, 'admit' | 'ended'>;
}

/**
 * Why a phone outside the company may not be called for a call, as a cause; null when it may. The rules of placed calls hold when
 * the phone is called, whatever was true when its number was saved. It counts as a new call of the company within the minute and
 * among its usual ones. It is not one more at once, because the call itself is counted.
 */
export async function permitOutside(
  deps: PermitOutsideDeps,
  call: Call,
  legId: string,
  to: string,
): Promise<string | null> {
  const { companyId, number } = call;
  const [company, own, dialled] = await Promise.all([
    deps.companyOf(companyId),
    deps.routing.number(number.id),
    deps.routing.number(to),
  ]);
  // The business number that is shown has been released, or the company calls itself.
  if (own?.companyId !== companyId || !own.isActive || dialled?.companyId === companyId) return 'CALL_REJECTED';
  const permitted = company && permitNumber(to, company);
  if (!permitted || company.isSuspended || 'refused' in permitted) return 'OUTGOING_CALL_BARRED';
  // What is dialled is what was checked: a caller id may have been written differently.
  if (permitted.allowed.isEmergency || permitted.allowed.to !== to) return 'OUTGOING_CALL_BARRED';
  // Whoever waits to be called back is no call at once until then.
  if (awaitsCallback(call) && to === (call.callback?.number ?? call.remoteNumber)) {
    const atOnce = { ...company.limits, callsPerMinute: Infinity };
    const request = { callId: call.id, employeeId: null, limits: atOnce, placed: null, isStarted: true };
    if ((await deps.admissions.admit(companyId, request)) !== null) return 'USER_BUSY';
  }
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
}

/** However many calls a company may have at once: each stays in the queue for hours, and costs the caller nothing. */
const CALLBACKS_MAX = 500;

/**
 * Whether a waiting caller may be called back later: as many may wait to be called back as the company may have calls at once. One
 * that replaces an earlier one of the same caller is no further one. They use no line: the limits hold again when the caller is
 * called (`permitOutside`).
 */
export async function permitCallback(
  deps: { companyOf: CompanyOf; calls: Pick<Calls, 'queueOf'> },
  { companyId, number, remoteNumber }: Pick<Call, 'companyId' | 'number' | 'remoteNumber'>,
): Promise<boolean> {
  const company = await deps.companyOf(companyId);
  if (!company || company.isSuspended || !isAllowedDestination(remoteNumber, company)) return false;
  const others = (await deps.calls.queueOf(companyId)).filter(
    (queued) => awaitsCallback(queued) && (queued.number.id !== number.id || queued.remoteNumber !== remoteNumber),
  );
  return others.length < Math.min(company.limits.simultaneousCalls, CALLBACKS_MAX);
}
