import { randomBytes } from 'node:crypto';
import type { Clock } from '@parley/clock';
import { invalid, notFound, refusal, Refused } from '@parley/errors';
import { newId } from '@parley/secrets';
import type { CallService } from '@parley/proto/call_control/v1/calls_service_pb';
import { hasRole } from '@parley/actor';
import type { EmployeePrincipal, Handler } from '@parley/rpc';
import { unreachable } from '../switch/commands/await-switch.ts';
import type { CallAdmissions } from '../call-usage/call-admissions.ts';
import { type CompanyCallSettings, permitNumber, permitCall } from '../call-usage/call-permission.ts';
import { createRequestedCall } from '../calls/decide/new-call.ts';
import type { Calls } from '../calls/store/call-store.ts';
import type { CompanyOf } from '../clients/company-client.ts';
import type { CallingNumber, Routing } from '../clients/routing-client.ts';
import type { EmployeeDirectory } from '../employees/directory-client.ts';
import type { EmployeePresence } from '../presence/presence.ts';
import type { Presences } from '../presence/presence-store.ts';
import type { Switch, Switches } from '../switch/connection/switch-client.ts';
import type { CallViews } from './call-views.ts';
import { switchForCall } from './switch-for-call.ts';

export interface PlaceCallDeps {
  readonly calls: Calls;
  readonly presences: Pick<Presences, 'of'>;
  readonly directory: Pick<EmployeeDirectory, 'find'>;
  readonly switches: Switches;
  readonly routing: Pick<Routing, 'number'>;
  readonly companyOf: CompanyOf;
  readonly admissions: CallAdmissions;
  /** The number of configured carriers. */
  readonly carriers: number;
  readonly views: CallViews;
  readonly clock: Clock;
}

const unavailable = refusal('employee_unavailable', 'the employee cannot be rung now');

/**
 * An employee may place calls for oneself, admins for everybody. The employee is claimed before the call is counted and
 * created: a claim without a call expires, and so does the count of a call that was never created.
 */
export const placeCall =
  (deps: PlaceCallDeps): Handler<typeof CallService.method.placeCall, EmployeePrincipal> =>
  async ({ businessNumberId, to: dialled, employeeId: wanted }, { principal }) => {
    const { companyId } = principal;
    const employeeId = wanted ?? principal.employeeId;
    const [presence, calling, company] = await Promise.all([
      employeeOf(deps, companyId, employeeId),
      deps.routing.number(businessNumberId),
      deps.companyOf(companyId),
    ]);
    if (presence === 'unknown' || !company || !isOwn(calling, businessNumberId, companyId)) throw new Refused(notFound);
    // Colleagues are known to every member, so only ids of nobody are not found.
    if (employeeId !== principal.employeeId && !hasRole(principal.role, 'admin'))
      throw new Refused(refusal('forbidden', 'forbidden'));
    if (!calling.isActive) throw new Refused(invalid({ business_number_id: ['is not active'] }));
    const permitted = permitNumber(dialled, company);
    if ('refused' in permitted) throw new Refused(permitted.refused);
    const at = presence && switchForCall(deps.switches.all, presence);
    if (!presence || !at) throw new Refused(unavailable);
    if (at === 'unreachable' || deps.carriers === 0) throw new Refused(unreachable);
    const employee = { id: employeeId, name: presence.employee.name };
    const call = await create(deps, { companyId, company, employee, dialled, number: calling.number, at });
    const [shown] = await deps.views.show(principal, [call]);
    return { call: shown };
  };

function isOwn(calling: CallingNumber | undefined, id: string, companyId: string): calling is CallingNumber {
  // A number is named by its id only.
  return calling?.companyId === companyId && calling.number.id === id;
}

/** `unknown`: no employee of the company. Undefined for one whose presence is not known yet: there is no phone. */
async function employeeOf(
  { presences, directory }: PlaceCallDeps,
  companyId: string,
  employeeId: string,
): Promise<EmployeePresence | undefined | 'unknown'> {
  const presence = await presences.of(companyId).get(employeeId);
  if (presence) return presence;
  return (await directory.find(employeeId))?.companyId === companyId ? undefined : 'unknown';
}

async function create(
  { calls, presences, admissions, carriers, clock }: PlaceCallDeps,
  given: {
    companyId: string;
    company: CompanyCallSettings;
    employee: { id: string; name: string };
    dialled: string;
    number: CallingNumber['number'];
    at: Switch;
  },
) {
  const { companyId, company, employee, dialled, number, at } = given;
  const id = newId('cal');
  const own = presences.of(companyId);
  if (!(await own.offerRing(employee.id, id))) throw new Refused(unavailable);
  try {
    const coreUuid = await at.coreUuid().catch(() => {
      throw new Refused(unreachable);
    });
    const permitted = await permitCall(admissions, company, {
      companyId,
      employeeId: employee.id,
      callId: id,
      dialled,
    });
    if ('refused' in permitted) throw new Refused(permitted.refused);
    const { to, isEmergency } = permitted.allowed;
    const requested = {
      id,
      companyId,
      seed: randomBytes(16).toString('hex'),
      switch: { name: at.name, coreUuid },
      from: number.number,
      to,
      number,
      employee,
      carriers,
      emergency: isEmergency ? { address: company.address } : undefined,
    };
    return await calls.of(companyId).create(createRequestedCall(requested, clock.now()));
  } catch (error) {
    // One whose answer was lost may exist: it has its claim from the lease that its switch's reader renews.
    if (
      !(await calls
        .of(companyId)
        .get(id)
        .catch(() => undefined))
    ) {
      admissions.ended({ companyId, id });
      await own.endLease(employee.id, { kind: 'ring_offer', id });
    }
    throw error;
  }
}
