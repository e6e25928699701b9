import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { Clock } from '@parley/clock';
import { invalid, notFound, Refused } from '@parley/errors';
import type { RouteExplanationService, RouteProposal } from '@parley/proto/numbers_routing/v1/routing_pb';
import type { EmployeePrincipal, Handler } from '@parley/rpc';
import { localTimeText, nextChange } from '../business-hours/opening.ts';
import { type CallFlow, employeesOf, type RoutingSlot } from '../call-flows/call-flow.ts';
import { readForwardNumbers } from '../numbers/forward-numbers.ts';
import { callFlowToProto, slotToProto, callFlowFromProto } from '../call-flows/call-flow-proto.ts';
import { collectProblems } from '../call-flows/problems.ts';
import type { BusinessNumber } from '../numbers/business-number.ts';
import { entryToProto } from '../numbers/business-number-proto.ts';
import type { BusinessNumbers } from '../numbers/business-number-store.ts';
import { promptAudioViews, type ViewDeps } from '../numbers/number-view.ts';
import { type ExplainedEmployee, explainEmployees, routeReasons } from './explanation.ts';
import { knownEmployees } from './known-employees-proto.ts';
import { applyProposal, employeesProposed, type Proposal } from './proposal.ts';
import { resolveRoute } from './route.ts';
import { flowOrNull, hoursChangeFromProto, timeoutFromProto } from '../numbers/routing-change-proto.ts';

interface ExplanationDeps extends ViewDeps {
  readonly numbers: BusinessNumbers;
  readonly clock: Clock;
}

export const explainRoute =
  (deps: ExplanationDeps): Handler<typeof RouteExplanationService.method.explainRoute, EmployeePrincipal> =>
  async (request, { principal }) => {
    const saved = await deps.numbers.of(principal.companyId).get(request.id);
    if (!saved) throw new Refused(notFound);
    const at = request.at ? timestampDate(request.at) : deps.clock.now();
    const number = request.proposal ? await asProposed(deps, saved, proposalFromProto(request.proposal)) : saved;
    const route = resolveRoute(number, at);
    const { flow, noAnswer, opening } = route;
    const named = [...new Set([...employeesOf(flow), ...employeesOf(noAnswer?.flow ?? null)])];
    const known = knownEmployees(await deps.directory.employees(principal.companyId, named), request.presence);
    // A proposed text is not synthesized; a saved one may have audio already.
    const audioOf = await promptAudioViews(deps, saved);
    const changesAt = nextChange(number, at);
    return {
      at: timestampFromDate(at),
      timezone: number.timezone,
      localTime: localTimeText(opening),
      businessHours: entryToProto(opening.today),
      withinBusinessHours: opening.open,
      ...(opening.closure && { closure: opening.closure }),
      ...(opening.currentBreak && { currentBreak: opening.currentBreak }),
      ...(changesAt && { changesAt: timestampFromDate(changesAt) }),
      active: number.active,
      slot: slotToProto(route.slot),
      reasons: [...routeReasons(number, route)],
      ...(flow && { flow: callFlowToProto(flow, audioOf) }),
      employees: explainEmployees(flow, known, at).map(employeeToProto),
      ...(noAnswer && {
        noAnswer: { timeoutSecs: noAnswer.timeoutSecs, flow: callFlowToProto(noAnswer.flow, audioOf) },
        noAnswerEmployees: explainEmployees(noAnswer.flow, known, at).map(employeeToProto),
      }),
    };
  };

async function asProposed(deps: ExplanationDeps, saved: BusinessNumber, proposal: Proposal): Promise<BusinessNumber> {
  const { companyId } = saved;
  const unknown = await deps.directory.unknownEmployees(companyId, employeesProposed(proposal));
  const flows = new Map<RoutingSlot, CallFlow | null>();
  for (const [slot, flow] of proposal.flows)
    flows.set(slot, flow && (await readForwardNumbers(deps, companyId, flow, `${slot}.`)));
  const problems = collectProblems();
  const number = applyProposal(saved, { ...proposal, flows }, unknown, problems);
  if (problems.count() > 0) throw new Refused(invalid(problems.fields()));
  return number;
}

function employeeToProto({ digit, reason, ...employee }: ExplainedEmployee) {
  return { ...employee, ...(digit !== null && { digit }), ...(reason !== null && { reason }) };
}

function proposalFromProto(proposal: RouteProposal): Proposal {
  const { incomingCallConfig: incoming, outsideBusinessHoursConfig: outside, noAnswerConfig: noAnswer } = proposal;
  const flows = new Map<RoutingSlot, CallFlow | null>();
  if (incoming) flows.set('incoming_call_config', callFlowFromProto(incoming));
  if (outside) flows.set('outside_business_hours_config', flowOrNull(outside.config));
  if (noAnswer) flows.set('no_answer_config', flowOrNull(noAnswer.config));
  return {
    flows,
    businessHours: proposal.businessHours.map(hoursChangeFromProto),
    timezone: proposal.timezone,
    noAnswerTimeoutSecs: timeoutFromProto(proposal.noAnswerTimer),
  };
}
