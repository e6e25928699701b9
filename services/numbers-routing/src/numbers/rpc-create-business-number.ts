import { timestampDate } from '@bufbuild/protobuf/wkt';
import { Refused } from '@parley/errors';
import { newId } from '@parley/ids';
import type {
  BusinessNumberAdminService,
  CreateBusinessNumberRequest,
} from '@parley/proto/numbers_routing/v1/numbers_pb';
import type { Handler, OperatorPrincipal } from '@parley/rpc';
import { withMenuOptionIds } from '../call-flows/menu-option-ids.ts';
import { below, collectProblems } from '../call-flows/problems.ts';
import { createBusinessNumber, type NumberDetails } from './business-number.ts';
import { registrationStatusFromProto, waitAudioFromProto } from './business-number-proto.ts';
import { viewOf } from './number-view.ts';
import type { NumberDeps } from './number-deps.ts';
import { readPhoneNumber } from '@parley/phone-numbers';
import { employeesNamed, readOwnFlow, type Written } from './routing-change.ts';

const FIRST_OPTION_ID = 1;

export const createBusinessNumberRpc =
  (deps: NumberDeps): Handler<typeof BusinessNumberAdminService.method.createBusinessNumber, OperatorPrincipal> =>
  async (request) => {
    const { numbers, assignments, directory, clock, tick } = deps;
    const { companyId } = request;
    const { country, ownerId } = await directory.company(companyId);
    const identity = { id: newId('num'), companyId, createdOrder: tick() };
    const written = routingWritten(request, ownerId);
    const named = employeesNamed(written);
    const number = await assignments.during({ ...identity, name: request.name }, named, async (mayCommit) => {
      const strangers = await directory.strangers(companyId, named);
      mayCommit();
      const details = { ...detailsFrom(request, country), incomingCallConfig: readRouting(written, strangers) };
      const decision = createBusinessNumber(identity, details, clock.now());
      if (!decision.ok) throw new Refused(decision.refusal);
      return numbers.of(companyId).create(decision);
    });
    return { view: await viewOf(deps, number) };
  };

function routingWritten({ incomingCallConfig }: CreateBusinessNumberRequest, ownerId: string): Written {
  return incomingCallConfig ?? { type: 'TransferConfig', employee_ids: ownerId === '' ? [] : [ownerId] };
}

function readRouting(written: Written, strangers: ReadonlySet<string>): NumberDetails['incomingCallConfig'] {
  const problems = collectProblems();
  const flow = readOwnFlow(written, strangers, below(problems, 'incoming_call_config'));
  return { flow: flow && withMenuOptionIds(flow, null, FIRST_OPTION_ID).flow, fields: problems.fields() };
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
