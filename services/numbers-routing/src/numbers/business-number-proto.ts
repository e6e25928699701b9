import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { encodeMessage, type EncodedMessage } from '@parley/events';
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

export function encodeNumberEvent(event: BusinessNumberEvent): EncodedMessage {
  const number = numberToProto(event.number);
  if (event.type === 'numbers-routing.registration.rejected') {
    return encodeMessage(event.type, { number, reason: event.reason });
  }
  return encodeMessage(event.type, { number });
}
