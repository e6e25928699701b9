import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { Clock } from '@parley/clock';
import { invalid, notFound, Refused } from '@parley/errors';
import { AssistantEngine } from '@parley/proto/assistant/v1/assistants_pb';
import type {
  ExplainedAssistantSchema,
  RouteExplanationService,
  RouteProposal,
} from '@parley/proto/numbers_routing/v1/routing_pb';
import type { EmployeePrincipal, Handler } from '@parley/rpc';
import { type ListPresencesResponse, type Presence, PresenceStatus } from '@parley/proto/call_control/v1/presence_pb';
import type { Employee } from '@parley/proto/directory/v1/employees_pb';
import { localTimeText, nextChange } from '@parley/opening-hours';
import {
  type CallFlow,
  checkCallFlow,
  type FlowReferences,
  referencesOf,
  type RoutingSlot,
  type UnknownReferences,
} from '../call-flows/call-flow.ts';
import { readForwardNumbers } from '../numbers/forward-numbers.ts';
import { callFlowFromProto, callFlowToProto, slotToProto } from '../call-flows/call-flow-proto.ts';
import { collectProblems, withPrefix, type Problems } from '../call-flows/problems.ts';
import { type BusinessNumber, promptsOf, withFlow } from '../numbers/business-number.ts';
import { entryToProto } from '../numbers/business-number-proto.ts';
import type { BusinessNumbers } from '../numbers/business-number-store.ts';
import { promptAudioViews, type ViewDeps } from '../numbers/number-view.ts';
import { unknownReferences } from '../numbers/unknown-references.ts';
import {
  type ExplainedAssistant,
  type ExplainedEmployee,
  explainAssistants,
  explainEmployees,
  type KnownEmployee,
  routeReasons,
} from './explanation.ts';
import { resolveRoute } from './route.ts';
import { flowOrNull, hoursChangeFromProto, timeoutFromProto } from '../numbers/routing-change-proto.ts';
import { type BusinessHoursChange, changeBusinessHours } from '../business-hours/business-hours-change.ts';
import { readTimezone } from '../numbers/number-fields.ts';

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
    const named = referencesOf([flow, noAnswer?.flow ?? null]);
    const [employees, assistants, audioOf] = await Promise.all([
      deps.directory.employees(principal.companyId, named.employeeIds),
      deps.assistants.known(principal.companyId, named.assistantIds),
      // A proposed text is not synthesized; a saved one may have audio already.
      promptAudioViews(deps, saved, promptsOf(saved)),
    ]);
    const known = knownEmployees(employees, request.presence);
    const details = { audioOf, assistantName: (id: string) => assistants.get(id)?.name ?? '' };
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
      reasons: [...routeReasons(number, route, assistants)],
      ...(flow && { flow: callFlowToProto(flow, details) }),
      employees: explainEmployees(flow, known, at).map(employeeToProto),
      assistants: explainAssistants(flow, assistants).map(assistantToProto),
      ...(noAnswer && {
        noAnswer: { timeoutSecs: noAnswer.timeoutSecs, flow: callFlowToProto(noAnswer.flow, details) },
        noAnswerEmployees: explainEmployees(noAnswer.flow, known, at).map(employeeToProto),
        noAnswerAssistants: explainAssistants(noAnswer.flow, assistants).map(assistantToProto),
      }),
    };
  };

async function asProposed(deps: ExplanationDeps, saved: BusinessNumber, proposal: Proposal): Promise<BusinessNumber> {
  const { companyId } = saved;
  const unknown = await unknownReferences(deps, companyId, referencesProposed(proposal));
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

function assistantToProto({
  id,
  name,
  digit,
  active,
  engine,
}: ExplainedAssistant): MessageInitShape<typeof ExplainedAssistantSchema> {
  const inUse = engine === 'endpoint' ? AssistantEngine.ENDPOINT : AssistantEngine.EMBEDDED;
  return { id, name, active, engine: inUse, ...(digit !== null && { digit }) };
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

const statuses: Record<PresenceStatus, KnownEmployee['status']> = {
  [PresenceStatus.UNSPECIFIED]: 'unknown',
  [PresenceStatus.ON_CALL]: 'on_call',
  [PresenceStatus.DO_NOT_DISTURB]: 'do_not_disturb',
  [PresenceStatus.RINGING]: 'ringing',
  [PresenceStatus.AVAILABLE]: 'available',
  [PresenceStatus.LOGGED_OUT]: 'logged_out',
};

/** Employees with their presence. Without an answer of call-control every status is unknown. */
function knownEmployees(
  employees: ReadonlyMap<string, Pick<Employee, 'name' | 'invitationPending' | 'deactivatedAt'>>,
  answer: ListPresencesResponse | undefined,
): ReadonlyMap<string, KnownEmployee> {
  const presences = new Map(answer?.presences.map((presence) => [presence.employeeId, presence]));
  const absent = answer ? 'logged_out' : 'unknown';
  return new Map(
    [...employees].map(([id, { name, invitationPending, deactivatedAt }]) => {
      const presence = presences.get(id);
      const status = presence ? statuses[presence.status] : absent;
      const active = deactivatedAt === undefined;
      return [id, { id, name, invitationPending, active, status, doNotDisturb: doNotDisturbOf(presence) }];
    }),
  );
}

function doNotDisturbOf(presence: Presence | undefined): KnownEmployee['doNotDisturb'] {
  if (!presence?.doNotDisturbActivatedAt) return null;
  const { doNotDisturbExpiresAt: expires } = presence;
  return { expiresAt: expires ? timestampDate(expires) : null };
}

/** A change of routing that is only explained. What is left out is as saved. */
export interface Proposal {
  /** Null clears a slot. */
  readonly flows: ReadonlyMap<RoutingSlot, CallFlow | null>;
  readonly businessHours: readonly BusinessHoursChange[];
  readonly timezone: string | undefined;
  /** Null is off. */
  readonly noAnswerTimeoutSecs: number | null | undefined;
}

/** Everyone and everything a proposal names, each once. */
export function referencesProposed({ flows }: Proposal): FlowReferences {
  return referencesOf([...flows.values()]);
}

/** The number as it would be; meaningless once `problems` has grown. */
export function applyProposal(
  current: BusinessNumber,
  proposal: Proposal,
  unknown: UnknownReferences,
  problems: Problems,
): BusinessNumber {
  let next = current;
  for (const [slot, flow] of proposal.flows) {
    if (flow) checkCallFlow(flow, unknown, withPrefix(problems, slot));
    next = withFlow(next, slot, flow);
  }
  const { timezone, noAnswerTimeoutSecs: timeoutSecs } = proposal;
  return {
    ...next,
    businessHours: changeBusinessHours(current.businessHours, proposal.businessHours, problems),
    timezone: timezone === undefined ? current.timezone : readTimezone(timezone, problems),
    noAnswerTimeoutSecs: timeoutSecs === undefined ? current.noAnswerTimeoutSecs : timeoutSecs,
  };
}
