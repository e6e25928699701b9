import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { Clock } from '@parley/clock';
import { type Decision, invalid, notFound, refusal, Refused, refused } from '@parley/errors';
import { newId } from '@parley/secrets';
import { readPhoneNumber } from '@parley/phone-numbers';
import {
  BusinessNumberAdminService,
  BusinessNumberService,
  type CreateBusinessNumberRequest,
} from '@parley/proto/numbers_routing/v1/numbers_pb';
import { employees, operators, type RpcServer } from '@parley/rpc';
import type { Assignments } from '../assignments/assignment-store.ts';
import { openingAt } from '@parley/opening-hours';
import { type CallFlow, referencesOf } from '../call-flows/call-flow.ts';
import { callFlowFromProto } from '../call-flows/call-flow-proto.ts';
import { readForwardNumbers } from './forward-numbers.ts';
import {
  type BusinessNumber,
  type BusinessNumberEvent,
  changed,
  createBusinessNumber,
  type NumberDetails,
  type RegistrationStatus,
  releaseBusinessNumber,
  updateBusinessNumber,
  updateByOperator,
} from './business-number.ts';
import { changeFromProto, registrationStatusFromProto, waitAudioFromProto } from './business-number-proto.ts';
import { type BusinessNumbers, OLDEST_FIRST } from './business-number-store.ts';
import { type ViewDeps, viewOf } from './number-view.ts';
import type { ReleasedNumbers } from './released-number-store.ts';
import { unknownReferences } from './unknown-references.ts';
import { changeRouting, type RoutingChange } from './routing-change.ts';
import { incomingCallChange, noAnswerChange, outsideBusinessHoursChange } from './routing-change-proto.ts';

interface BusinessNumberDeps extends ViewDeps {
  readonly numbers: BusinessNumbers;
  readonly released: ReleasedNumbers;
  readonly assignments: Assignments;
  readonly clock: Clock;
  /** Orders creations. */
  readonly tick: () => number;
}

const EMPLOYEES_MAX = 10_000;
/** More than three menus can name. */
const ASSISTANTS_MAX = 100;

export function addBusinessNumberRpcs(server: RpcServer, deps: BusinessNumberDeps): void {
  addForEmployees(server, deps);
  addForOperators(server, deps);
}

function addForEmployees(server: RpcServer, deps: BusinessNumberDeps): void {
  const { numbers, directory, clock } = deps;
  const [member, admin] = [employees.withRole('member'), employees.withRole('admin')];
  const accessRules = {
    listBusinessNumbers: member,
    getBusinessNumber: member,
    updateBusinessNumber: admin,
    setIncomingCallConfig: admin,
    setOutsideBusinessHoursConfig: admin,
    setNoAnswerConfig: admin,
    // Explanations of a proposed route check its targets as well.
    checkCallTargets: member,
  };
  const routed = async (companyId: string, id: string, change: RoutingChange) => {
    const company = await directory.company(companyId);
    return { view: await viewOf(deps, await setRouting(deps, companyId, id, change), company) };
  };
  server.add(BusinessNumberService, accessRules, {
    async listBusinessNumbers(_request, { principal }) {
      const found = await Array.fromAsync(numbers.of(principal.companyId).find({}, OLDEST_FIRST));
      const now = clock.now();
      return {
        numbers: found.map((one) => ({
          id: one.id,
          name: one.name,
          number: one.number,
          numberFormatted: one.numberFormatted,
          open: one.active && openingAt(one, now).open,
        })),
      };
    },
    async getBusinessNumber({ id }, { principal }) {
      const number = await numbers.of(principal.companyId).get(id);
      if (!number) throw new Refused(notFound);
      return { view: await viewOf(deps, number, await directory.company(number.companyId)) };
    },
    async updateBusinessNumber(request, { principal: { companyId } }) {
      const change = changeFromProto(request);
      const company = await directory.company(companyId);
      const number = await numbers
        .of(companyId)
        .change(request.id, (current) => updateBusinessNumber(current, change, clock.now()));
      return { view: await viewOf(deps, number, company) };
    },
    setIncomingCallConfig: async (request, { principal }) =>
      routed(principal.companyId, request.id, incomingCallChange(request)),
    setOutsideBusinessHoursConfig: async (request, { principal }) =>
      routed(principal.companyId, request.id, outsideBusinessHoursChange(request)),
    setNoAnswerConfig: async (request, { principal }) =>
      routed(principal.companyId, request.id, noAnswerChange(request)),
    async checkCallTargets({ id, employeeIds, assistantIds }, { principal }) {
      if (employeeIds.length > EMPLOYEES_MAX)
        throw new Refused(invalid({ employee_ids: [`must have at most ${EMPLOYEES_MAX} items`] }));
      if (assistantIds.length > ASSISTANTS_MAX)
        throw new Refused(invalid({ assistant_ids: [`must have at most ${ASSISTANTS_MAX} items`] }));
      if (!(await numbers.of(principal.companyId).get(id))) throw new Refused(notFound);
      const named = { employeeIds: [...new Set(employeeIds)], assistantIds: [...new Set(assistantIds)] };
      const unknown = await unknownReferences(deps, principal.companyId, named);
      return { unknownEmployeeIds: [...unknown.employees], unknownAssistantIds: [...unknown.assistants] };
    },
  });
}

async function setRouting(
  deps: BusinessNumberDeps,
  companyId: string,
  id: string,
  requested: RoutingChange,
): Promise<BusinessNumber> {
  const { numbers, assignments, clock } = deps;
  const known = await numbers.of(companyId).get(id);
  if (!known) throw new Refused(notFound);
  const flow = requested.flow && (await readForwardNumbers(deps, companyId, requested.flow));
  const change = { ...requested, flow } as RoutingChange;
  const named = referencesOf([change.flow]);
  return assignments.during(known, named, async (mayCommit) => {
    const unknown = await unknownReferences(deps, companyId, named);
    mayCommit();
    const decide = (current: BusinessNumber) => changeRouting(current, change, unknown, clock.now());
    return numbers.of(companyId).change(known.id, decide, known);
  });
}

function addForOperators(server: RpcServer, deps: BusinessNumberDeps): void {
  const { numbers, released, assignments, directory, clock, tick } = deps;
  /** The operator names a number without naming the company. */
  const known = async (id: string): Promise<BusinessNumber> => {
    const number = await numbers.acrossCompanies.get(id);
    if (!number) throw new Refused(notFound);
    return number;
  };
  server.add(BusinessNumberAdminService, operators, {
    async createBusinessNumber(request) {
      const { companyId } = request;
      const company = await directory.companyToExtend(companyId);
      const { country, ownerId } = company;
      const identity = { id: newId('num'), companyId, createdOrder: tick() };
      const incomingCallConfig = await readForwardNumbers(
        deps,
        companyId,
        routingOf(request, ownerId),
        'incoming_call_config.',
      );
      const named = referencesOf([incomingCallConfig]);
      const number = await assignments.during({ ...identity, name: request.name }, named, async (mayCommit) => {
        const unknown = await unknownReferences(deps, companyId, named);
        mayCommit();
        const details = { ...detailsFrom(request, country), incomingCallConfig };
        const decision = createBusinessNumber(identity, details, unknown, clock.now());
        if (!decision.ok) throw new Refused(decision.refusal);
        return numbers.of(companyId).create(decision);
      });
      return { view: await viewOf(deps, number, company) };
    },
    async updateBusinessNumberByOperator(request) {
      const { active, smsCanSend, smsCanReceive } = request;
      const change = { active, smsCanSend, smsCanReceive, waitAudio: waitAudioFromProto(request.waitAudio) };
      const { companyId, id } = await known(request.id);
      const company = await directory.company(companyId);
      const number = await numbers
        .of(companyId)
        .change(id, (current) => updateByOperator(current, change, clock.now()));
      return { view: await viewOf(deps, number, company) };
    },
    async releaseBusinessNumber(request) {
      const number = await known(request.id);
      await released.keep(number);
      await numbers.of(number.companyId).change(number.id, releaseBusinessNumber);
      return {};
    },
    async setRegistration(request) {
      const status = registrationStatusFromProto(request.status);
      if (!status) throw new Refused(invalid({ status: ['is required'] }));
      const { companyId, id } = await known(request.id);
      const company = await directory.company(companyId);
      const number = await numbers
        .of(companyId)
        .change(id, (current) => setRegistration(current, status, request.reason, clock.now()));
      return { view: await viewOf(deps, number, company) };
    },
  });
}

function routingOf({ incomingCallConfig }: CreateBusinessNumberRequest, ownerId: string): CallFlow {
  if (incomingCallConfig) return callFlowFromProto(incomingCallConfig);
  return { type: 'TransferConfig', employeeIds: ownerId === '' ? [] : [ownerId] };
}

function detailsFrom(request: CreateBusinessNumberRequest, country: string): Omit<NumberDetails, 'incomingCallConfig'> {
  const { sms, registrationDueAt } = request;
  return {
    phone: readPhoneNumber(request.number, country),
    name: request.name,
    timezone: request.timezone,
    language: request.language,
    recordingEnabled: request.recordingEnabled,
    sms: { canSend: sms?.canSend ?? true, canReceive: sms?.canReceive ?? true },
    waitAudio: waitAudioFromProto(request.waitAudio) ?? 'ringtone',
    registrationStatus: registrationStatusFromProto(request.registrationStatus) ?? 'not_required',
    registrationDueAt: registrationDueAt ? timestampDate(registrationDueAt) : null,
  };
}

const moves: Record<RegistrationStatus, readonly RegistrationStatus[]> = {
  not_required: [],
  pending: ['submitted', 'failed'],
  submitted: ['approved', 'rejected'],
  approved: [],
  rejected: ['pending'],
  failed: ['pending'],
};

const NO_REASON = 'No reason was given.';

/** Moves a registration one step. Each transition to approved or rejected has its own event. */
export function setRegistration(
  current: BusinessNumber,
  status: RegistrationStatus,
  reason: string | undefined,
  now: Date,
): Decision<BusinessNumber, BusinessNumberEvent> {
  const from = current.registrationStatus;
  if (!moves[from].includes(status)) {
    const message = `cannot go from ${from} to ${status}`;
    return refused(refusal('invalid_transition', `status ${message}`, { fields: { status: [message] } }));
  }
  return changed(current, { ...current, registrationStatus: status }, now, (number) => {
    if (status === 'approved') return [{ type: 'numbers-routing.registration.approved', number }];
    if (status !== 'rejected') return [];
    return [{ type: 'numbers-routing.registration.rejected', number, reason: reason?.trim() || NO_REASON }];
  });
}
