import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { encodeMessage, type EncodedMessage } from '@parley/events';
import {
  type BusinessHoursEntrySchema,
  BusinessNumberSchema,
  type NumberSnapshotSchema,
  RegistrationStatus as StatusProto,
  RingStrategy as RingStrategyProto,
  type UpdateBusinessNumberRequest,
  WaitAudio as WaitAudioProto,
} from '@parley/proto/numbers_routing/v1/numbers_pb';
import type { BusinessHoursEntry } from '@parley/opening-hours';
import { callFlowToProto, type FlowDetails } from '../call-flows/call-flow-proto.ts';
import type { BusinessNumber, BusinessNumberEvent, NumberChange, WaitAudio } from './business-number.ts';
import type { RegistrationStatus, RingStrategy } from './business-number.ts';

/** A number with its routing. */
export function numberToProto(
  number: BusinessNumber,
  details: FlowDetails,
): MessageInitShape<typeof BusinessNumberSchema> {
  const { outsideBusinessHoursConfig: outside, noAnswerConfig: noAnswer, textingSettings: texting } = number;
  return {
    ...snapshotToProto(number),
    incomingCallConfig: callFlowToProto(number.incomingCallConfig, details),
    closures: [...number.closures],
    ...(number.recordingAnnouncement && { recordingAnnouncement: number.recordingAnnouncement }),
    announcePosition: number.announcePosition,
    callbackOffer: number.callbackOffer,
    ...(outside && { outsideBusinessHoursConfig: callFlowToProto(outside, details) }),
    ...(noAnswer && { noAnswerConfig: callFlowToProto(noAnswer, details) }),
    ...(number.noAnswerTimeoutSecs !== null && { noAnswerTimeoutSecs: number.noAnswerTimeoutSecs }),
    ...(texting && { textingSettings: { ...texting, autoReplyText: texting.autoReplyText ?? undefined } }),
  };
}

/** A number without its routing and texts. */
export function snapshotToProto(number: BusinessNumber) {
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
    ringStrategy: ringStrategies[number.ringStrategy],
    businessHours: number.businessHours.map(entryToProto),
    registrationStatus: statuses[number.registrationStatus],
    ...(number.registrationDueAt && { registrationDueAt: timestampFromDate(number.registrationDueAt) }),
    createdAt: timestampFromDate(number.createdAt),
    updatedAt: timestampFromDate(number.updatedAt),
  } satisfies MessageInitShape<typeof NumberSnapshotSchema>;
}

export function entryToProto({ breaks = [], ...entry }: BusinessHoursEntry) {
  return { ...entry, breaks: [...breaks] } satisfies MessageInitShape<typeof BusinessHoursEntrySchema>;
}

const waitAudios: Record<WaitAudio, WaitAudioProto> = {
  ringtone: WaitAudioProto.RINGTONE,
  music: WaitAudioProto.MUSIC,
};

/** Undefined when it is unspecified. */
export function waitAudioFromProto(waitAudio: WaitAudioProto | undefined): WaitAudio | undefined {
  if (waitAudio === WaitAudioProto.RINGTONE) return 'ringtone';
  return waitAudio === WaitAudioProto.MUSIC ? 'music' : undefined;
}

const ringStrategies: Record<RingStrategy, RingStrategyProto> = {
  all: RingStrategyProto.ALL,
  longest_idle: RingStrategyProto.LONGEST_IDLE,
  in_order: RingStrategyProto.IN_ORDER,
};

/** Undefined when it is unspecified. */
function ringStrategyFromProto(strategy: RingStrategyProto | undefined): RingStrategy | undefined {
  return (Object.keys(ringStrategies) as RingStrategy[]).find((name) => ringStrategies[name] === strategy);
}

const statuses: Record<RegistrationStatus, StatusProto> = {
  not_required: StatusProto.NOT_REQUIRED,
  pending: StatusProto.PENDING,
  submitted: StatusProto.SUBMITTED,
  approved: StatusProto.APPROVED,
  rejected: StatusProto.REJECTED,
  failed: StatusProto.FAILED,
};

/** Undefined when it is unspecified. */
export function registrationStatusFromProto(status: StatusProto): RegistrationStatus | undefined {
  return (Object.keys(statuses) as RegistrationStatus[]).find((name) => statuses[name] === status);
}

export function changeFromProto(request: UpdateBusinessNumberRequest): NumberChange {
  const { name, timezone, language, recordingEnabled } = request;
  return {
    name,
    timezone,
    language,
    recordingEnabled,
    waitAudio: waitAudioFromProto(request.waitAudio),
    ringStrategy: ringStrategyFromProto(request.ringStrategy),
    recordingAnnouncement: request.recordingAnnouncement && (request.recordingAnnouncement.text ?? null),
    announcePosition: request.announcePosition,
    callbackOffer: request.callbackOffer,
  };
}

/** Translates to the names of the contract; derived fields have none. */
function changedFieldNames(fields: readonly string[]): string[] {
  return BusinessNumberSchema.fields.filter(({ localName }) => fields.includes(localName)).map(({ name }) => name);
}

export function encodeNumberEvent(event: BusinessNumberEvent): EncodedMessage {
  const number = snapshotToProto(event.number);
  switch (event.type) {
    case 'numbers-routing.number.updated':
      return encodeMessage(event.type, { number, changedFields: changedFieldNames(event.changedFields) });
    case 'numbers-routing.registration.rejected':
      return encodeMessage(event.type, { number, reason: event.reason });
    default:
      return encodeMessage(event.type, { number });
  }
}
