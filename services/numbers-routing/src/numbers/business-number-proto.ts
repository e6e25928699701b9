import { create, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { EncodedEvent } from '@parley/outbox';
import {
  NumberCreatedSchema,
  NumberUpdatedSchema,
  RegistrationApprovedSchema,
  RegistrationRejectedSchema,
} from '@parley/proto/numbers_routing/v1/number_events_pb';
import {
  type BusinessNumberSchema,
  RegistrationStatus as StatusProto,
  type UpdateBusinessNumberRequest,
  WaitAudio as WaitAudioProto,
} from '@parley/proto/numbers_routing/v1/numbers_pb';
import { callFlowToProto, type PromptSound } from '../call-flows/call-flow-proto.ts';
import type { BusinessNumber, BusinessNumberEvent, NumberChange, WaitAudio } from './business-number.ts';
import type { RegistrationStatus } from './business-number.ts';

/** `soundOf`: where a text's audio is; without it prompts are text only, as in events. */
export function numberToProto(
  number: BusinessNumber,
  soundOf?: (text: string) => PromptSound | undefined,
): MessageInitShape<typeof BusinessNumberSchema> {
  const { outsideBusinessHoursConfig: outside, noAnswerConfig: noAnswer, textingSettings: texting } = number;
  return {
    id: number.id,
    companyId: number.companyId,
    name: number.name,
    number: number.number,
    numberFormatted: number.numberFormatted,
    timezone: number.timezone,
    language: number.language,
    recordingEnabled: number.recordingEnabled,
    active: number.active,
    sms: number.sms,
    waitAudio: waitAudios[number.waitAudio],
    incomingCallConfig: callFlowToProto(number.incomingCallConfig, soundOf),
    ...(outside && { outsideBusinessHoursConfig: callFlowToProto(outside, soundOf) }),
    ...(noAnswer && { noAnswerConfig: callFlowToProto(noAnswer, soundOf) }),
    ...(number.noAnswerTimeoutSecs !== null && { noAnswerTimeoutSecs: number.noAnswerTimeoutSecs }),
    businessHours: [...number.businessHours],
    registrationStatus: statuses[number.registrationStatus],
    ...(number.registrationDueAt && { registrationDueAt: timestampFromDate(number.registrationDueAt) }),
    ...(texting && { textingSettings: { ...texting, autoReplyText: texting.autoReplyText ?? undefined } }),
    createdAt: timestampFromDate(number.createdAt),
    updatedAt: timestampFromDate(number.updatedAt),
  };
}

const waitAudios: Record<WaitAudio, WaitAudioProto> = {
  ringtone: WaitAudioProto.RINGTONE,
  music: WaitAudioProto.MUSIC,
};

/** Undefined when nothing was said. */
export function waitAudioFromProto(waitAudio: WaitAudioProto | undefined): WaitAudio | undefined {
  if (waitAudio === WaitAudioProto.RINGTONE) return 'ringtone';
  return waitAudio === WaitAudioProto.MUSIC ? 'music' : undefined;
}

const statuses: Record<RegistrationStatus, StatusProto> = {
  not_required: StatusProto.NOT_REQUIRED,
  pending: StatusProto.PENDING,
  submitted: StatusProto.SUBMITTED,
  approved: StatusProto.APPROVED,
  rejected: StatusProto.REJECTED,
  failed: StatusProto.FAILED,
};

/** Undefined when nothing was said. */
export function registrationStatusFromProto(status: StatusProto): RegistrationStatus | undefined {
  return (Object.keys(statuses) as RegistrationStatus[]).find((name) => statuses[name] === status);
}

export function changeFromProto(request: UpdateBusinessNumberRequest): NumberChange {
  const { name, timezone, language, recordingEnabled } = request;
  return { name, timezone, language, recordingEnabled, waitAudio: waitAudioFromProto(request.waitAudio) };
}

const schemas = {
  'numbers-routing.number.created': NumberCreatedSchema,
  'numbers-routing.number.updated': NumberUpdatedSchema,
  'numbers-routing.registration.approved': RegistrationApprovedSchema,
};

export function encodeNumberEvent(event: BusinessNumberEvent): EncodedEvent {
  const number = numberToProto(event.number);
  if (event.type === 'numbers-routing.registration.rejected') {
    const rejected = create(RegistrationRejectedSchema, { number, reason: event.reason });
    return { type: event.type, data: toBinary(RegistrationRejectedSchema, rejected) };
  }
  const schema = schemas[event.type];
  return { type: event.type, data: toBinary(schema, create(schema, { number })) };
}
