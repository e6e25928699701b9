import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { invalid, notFound, Refused } from '@parley/errors';
import type { RouteExplanationService } from '@parley/proto/numbers_routing/v1/routing_pb';
import type { EmployeePrincipal, Handler } from '@parley/rpc';
import { localTimeText, nextChange } from '../business-hours/opening.ts';
import { employeesOf } from '../call-flows/call-flow.ts';
import { callFlowToProto, slotToProto } from '../call-flows/call-flow-proto.ts';
import { collectProblems } from '../call-flows/problems.ts';
import type { BusinessNumber } from '../numbers/business-number.ts';
import { soundsOf } from '../numbers/number-view.ts';
import type { Written } from '../numbers/routing-change.ts';
import { type ExplainedEmployee, explainEmployees, routeReasons } from './explanation.ts';
import { employeesProposed, proposed } from './proposal.ts';
import { resolveRoute } from './route.ts';
import type { RoutingDeps } from './routing-deps.ts';

export const explainRouteRpc =
  (deps: RoutingDeps): Handler<typeof RouteExplanationService.method.explainRoute, EmployeePrincipal> =>
  async (request, { principal: caller }) => {
    const saved = await deps.numbers.of(caller.companyId).get(request.id);
    if (!saved) throw new Refused(notFound);
    const at = request.at ? timestampDate(request.at) : deps.clock.now();
    const number = request.proposal ? await asProposed(deps, saved, request.proposal) : saved;
    const route = resolveRoute(number, at);
    const { flow, noAnswer, opening } = route;
    const named = [...new Set([...employeesOf(flow), ...employeesOf(noAnswer?.flow ?? null)])];
    const known = await deps.directory.employees(caller.companyId, named);
    // What is only proposed is not spoken; what is saved may be heard already.
    const soundOf = await soundsOf(deps, saved);
    const changesAt = nextChange(number.businessHours, number.timezone, at);
    return {
      at: timestampFromDate(at),
      timezone: number.timezone,
      localTime: localTimeText(opening),
      businessHours: opening.today,
      withinBusinessHours: opening.open,
      ...(changesAt && { changesAt: timestampFromDate(changesAt) }),
      active: number.active,
      slot: slotToProto(route.slot),
      reasons: [...routeReasons(number, route)],
      ...(flow && { flow: callFlowToProto(flow, soundOf) }),
      employees: explainEmployees(flow, known, at).map(employeeToProto),
      ...(noAnswer && {
        noAnswer: { timeoutSecs: noAnswer.timeoutSecs, flow: callFlowToProto(noAnswer.flow, soundOf) },
        noAnswerEmployees: explainEmployees(noAnswer.flow, known, at).map(employeeToProto),
      }),
    };
  };

async function asProposed(deps: RoutingDeps, saved: BusinessNumber, proposal: Written): Promise<BusinessNumber> {
  const strangers = await deps.directory.strangers(saved.companyId, employeesProposed(proposal));
  const problems = collectProblems();
  const number = proposed(saved, proposal, strangers, problems);
  if (problems.count() > 0) throw new Refused(invalid(problems.fields()));
  return number;
}

function employeeToProto({ digit, reason, ...employee }: ExplainedEmployee) {
  return { ...employee, ...(digit !== null && { digit }), ...(reason !== null && { reason }) };
}
