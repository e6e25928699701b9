import { timestampDate } from '@bufbuild/protobuf/wkt';
import { Refused } from '@parley/errors';
import { newId } from '@parley/ids';
import type {
  BusinessNumberAdminService,
  CreateBusinessNumberRequest,
} from '@parley/proto/numbers_routing/v1/numbers_pb';
import type { Handler, OperatorPrincipal } from '@parley/rpc';
import { readPhoneNumber } from '@parley/phone-numbers';
import { type CallFlow, employeesOf } from '../call-flows/call-flow.ts';
import { callFlowFromProto } from '../call-flows/call-flow-proto.ts';
import { createBusinessNumber, type NumberDetails } from './business-number.ts';
import { registrationStatusFromProto, waitAudioFromProto } from './business-number-proto.ts';
import { viewOf } from './number-view.ts';
import type { NumberDeps } from './number-deps.ts';

export const createBusinessNumberRpc =
  (deps: NumberDeps): Handler<typeof BusinessNumberAdminService.method.createBusinessNumber, OperatorPrincipal> =>
  async (request) => {
    const { numbers, assignments, directory, clock, tick } = deps;
    const { companyId } = request;
    const { country, ownerId } = await directory.company(companyId);
    const identity = { id: newId('num'), companyId, createdOrder: tick() };
    const incomingCallConfig = routingOf(request, ownerId);
    const named = employeesOf(incomingCallConfig);
    const number = await assignments.during({ ...identity, name: request.name }, named, async (mayCommit) => {
      const unknown = await directory.unknownEmployees(companyId, named);
      mayCommit();
      const details = { ...detailsFrom(request, country), incomingCallConfig };
      const decision = createBusinessNumber(identity, details, unknown, clock.now());
      if (!decision.ok) throw new Refused(decision.refusal);
      return numbers.of(companyId).create(decision);
    });
    return { view: await viewOf(deps, number) };
  };

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
