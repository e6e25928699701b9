import { notFound, Refused } from '@parley/errors';
import type { BusinessNumberService } from '@parley/proto/numbers_routing/v1/numbers_pb';
import type { EmployeePrincipal, Handler } from '@parley/rpc';
import { employeesOf } from '../call-flows/call-flow.ts';
import { type BusinessNumber } from './business-number.ts';
import { viewOf } from './number-view.ts';
import type { NumberDeps } from './number-deps.ts';
import { changeRouting, type RoutingChange } from './routing-change.ts';
import { incomingCallChange, noAnswerChange, outsideBusinessHoursChange } from './routing-change-proto.ts';

type Methods = typeof BusinessNumberService.method;

export const setIncomingCallConfigRpc =
  (deps: NumberDeps): Handler<Methods['setIncomingCallConfig'], EmployeePrincipal> =>
  async (request, { principal }) => ({
    view: await viewOf(deps, await setRouting(deps, principal.companyId, request.id, incomingCallChange(request))),
  });

export const setOutsideBusinessHoursConfigRpc =
  (deps: NumberDeps): Handler<Methods['setOutsideBusinessHoursConfig'], EmployeePrincipal> =>
  async (request, { principal }) => ({
    view: await viewOf(
      deps,
      await setRouting(deps, principal.companyId, request.id, outsideBusinessHoursChange(request)),
    ),
  });

export const setNoAnswerConfigRpc =
  (deps: NumberDeps): Handler<Methods['setNoAnswerConfig'], EmployeePrincipal> =>
  async (request, { principal }) => ({
    view: await viewOf(deps, await setRouting(deps, principal.companyId, request.id, noAnswerChange(request))),
  });

async function setRouting(
  { numbers, assignments, directory, clock }: NumberDeps,
  companyId: string,
  id: string,
  change: RoutingChange,
): Promise<BusinessNumber> {
  const known = await numbers.of(companyId).get(id);
  if (!known) throw new Refused(notFound);
  const named = employeesOf(change.flow);
  return assignments.during(known, named, async (mayCommit) => {
    const unknown = await directory.unknownEmployees(companyId, named);
    mayCommit();
    return numbers.of(companyId).changeFrom(known, (current) => changeRouting(current, change, unknown, clock.now()));
  });
}
