import { isDeepStrictEqual } from 'node:util';
import type { Audited } from '@parley/actor';
import { decided, type Decision, invalid, refused } from '@parley/errors';
import { type BusinessHoursEntry, type Closure, DEFAULT_BUSINESS_HOURS } from '@parley/opening-hours';
import {
  type CallFlow,
  checkCallFlow,
  type FlowReferences,
  forwardsOf,
  referencesOf,
  type RoutingSlot,
  textsOf,
  type UnknownReferences,
  withMenuOptionIds,
  withoutRepeatedEmployees,
} from '../call-flows/call-flow.ts';
import { spokenTexts } from '../call-flows/spoken-texts.ts';
import { collectProblems, withPrefix } from '../call-flows/problems.ts';
import { type Prompt, promptKey } from '../prompt-audio/prompt.ts';
import { defaultGreeting } from './default-greeting.ts';
import { auditOfNewNumber, auditOfNumber, auditOfReleasedNumber } from './number-audit.ts';
import { defaultSettings, readAnnouncement, readLanguage, readName, readTimezone } from './number-fields.ts';

/** The automatic reply to texts outside business hours. */
export interface TextingSettings {
  readonly autoReplyEnabled: boolean;
  readonly autoReplyText: string | null;
  readonly autoReplyCooldownMinutes: number;
}

export type RegistrationStatus = 'not_required' | 'pending' | 'submitted' | 'approved' | 'rejected' | 'failed';

export type WaitAudio = 'ringtone' | 'music';

/** `all` rings every employee at once; the others ring one after the other. */
export type RingStrategy = 'all' | 'longest_idle' | 'in_order';

export interface SmsCapability {
  readonly canSend: boolean;
  readonly canReceive: boolean;
}

/** A customer-facing phone number and what happens to calls and texts to it. */
export interface BusinessNumber {
  readonly id: string;
  readonly companyId: string;
  /** E.164, unique across all companies. */
  readonly number: string;
  readonly numberFormatted: string;
  readonly name: string;
  /** IANA. */
  readonly timezone: string;
  readonly language: string;
  readonly recordingEnabled: boolean;
  /** Set by the operator: an inactive number takes no calls and no texts. */
  readonly active: boolean;
  readonly sms: SmsCapability;
  readonly waitAudio: WaitAudio;
  readonly ringStrategy: RingStrategy;
  /** Played to the other side before a recorded conversation; null when nothing is played. */
  readonly recordingAnnouncement: string | null;
  /** Waiting callers hear their place in the queue. */
  readonly announcePosition: boolean;
  /** A waiting caller can ask to be called back. */
  readonly callbackOffer: boolean;
  readonly incomingCallConfig: CallFlow;
  readonly outsideBusinessHoursConfig: CallFlow | null;
  readonly noAnswerConfig: CallFlow | null;
  readonly noAnswerTimeoutSecs: number | null;
  /** Seven, Monday first. */
  readonly businessHours: readonly BusinessHoursEntry[];
  /** Ordered by their first day. */
  readonly closures: readonly Closure[];
  readonly registrationStatus: RegistrationStatus;
  readonly registrationDueAt: Date | null;
  /** Null while the defaults apply. */
  readonly textingSettings: TextingSettings | null;
  readonly nextMenuOptionId: number;
  /** Everyone any slot may ring; derived from the slots, for queries. */
  readonly targetIds: readonly string[];
  /** The assistants that any slot has answer; derived from the slots, for queries. */
  readonly assistantIds: readonly string[];
  /** The keys of all prompts; derived from the slots and the language, for queries. */
  readonly promptKeys: readonly string[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Orders numbers by creation, also within a millisecond. */
  readonly createdOrder: number;
}

export type BusinessNumberEvent =
  | ({ readonly type: 'numbers-routing.number.created'; readonly number: BusinessNumber } & Audited)
  | ({
      readonly type: 'numbers-routing.number.updated';
      readonly number: BusinessNumber;
      readonly changedFields: readonly (keyof BusinessNumber)[];
    } & Audited)
  | ({ readonly type: 'numbers-routing.number.released'; readonly number: BusinessNumber } & Audited)
  | { readonly type: 'numbers-routing.registration.approved'; readonly number: BusinessNumber }
  | {
      readonly type: 'numbers-routing.registration.rejected';
      readonly number: BusinessNumber;
      readonly reason: string;
    };

export const numberTaken = invalid({ number: ['has already been taken'] });

/** The operator's input for a new number; the phone number is already parsed. */
export interface NumberDetails {
  readonly phone: { readonly number: string; readonly formatted: string } | undefined;
  readonly name: string;
  readonly timezone: string;
  readonly language: string;
  readonly recordingEnabled: boolean;
  readonly sms: SmsCapability;
  readonly waitAudio: WaitAudio;
  readonly registrationStatus: RegistrationStatus;
  readonly registrationDueAt: Date | null;
  readonly incomingCallConfig: CallFlow;
}

const FIRST_MENU_OPTION_ID = 1;

export function createBusinessNumber(
  identity: Pick<BusinessNumber, 'id' | 'companyId' | 'createdOrder'>,
  details: NumberDetails,
  unknown: UnknownReferences,
  now: Date,
): Decision<BusinessNumber, BusinessNumberEvent> {
  const problems = collectProblems();
  const { phone } = details;
  if (!phone) problems.add('number', 'is not a valid phone number');
  const name = readName(details.name, problems);
  const timezone = readTimezone(details.timezone, problems);
  const language = readLanguage(details.language, problems);
  checkCallFlow(details.incomingCallConfig, unknown, withPrefix(problems, 'incoming_call_config'));
  if (!phone || problems.count() > 0) return refused(invalid(problems.fields()));
  const routing = withMenuOptionIds(withoutRepeatedEmployees(details.incomingCallConfig), null, FIRST_MENU_OPTION_ID);
  const number = withDerived({
    ...identity,
    number: phone.number,
    numberFormatted: phone.formatted,
    name,
    timezone,
    language,
    recordingEnabled: details.recordingEnabled,
    active: true,
    sms: details.sms,
    waitAudio: details.waitAudio,
    ...defaultSettings,
    incomingCallConfig: routing.flow,
    outsideBusinessHoursConfig: { type: 'VoicemailConfig', greeting: defaultGreeting(language) },
    noAnswerConfig: null,
    noAnswerTimeoutSecs: null,
    businessHours: DEFAULT_BUSINESS_HOURS,
    registrationStatus: details.registrationStatus,
    registrationDueAt: details.registrationDueAt,
    textingSettings: null,
    nextMenuOptionId: routing.nextId,
    createdAt: now,
    updatedAt: now,
  });
  return decided(number, [{ type: 'numbers-routing.number.created', number, audit: auditOfNewNumber(number) }]);
}

/** Absent fields stay as they are. */
export interface NumberChange {
  readonly name?: string;
  readonly timezone?: string;
  readonly language?: string;
  readonly recordingEnabled?: boolean;
  readonly waitAudio?: WaitAudio;
  readonly ringStrategy?: RingStrategy | undefined;
  /** Null for none. */
  readonly recordingAnnouncement?: string | null | undefined;
  readonly announcePosition?: boolean | undefined;
  readonly callbackOffer?: boolean | undefined;
}

export function updateBusinessNumber(
  current: BusinessNumber,
  change: NumberChange,
  now: Date,
): Decision<BusinessNumber, BusinessNumberEvent> {
  const problems = collectProblems();
  const next = {
    ...current,
    ...(change.name !== undefined && { name: readName(change.name, problems) }),
    ...(change.timezone !== undefined && { timezone: readTimezone(change.timezone, problems) }),
    ...(change.language !== undefined && { language: readLanguage(change.language, problems) }),
    recordingEnabled: change.recordingEnabled ?? current.recordingEnabled,
    waitAudio: change.waitAudio ?? current.waitAudio,
    ringStrategy: change.ringStrategy ?? current.ringStrategy,
    ...(change.recordingAnnouncement !== undefined && {
      recordingAnnouncement: readAnnouncement(change.recordingAnnouncement, problems),
    }),
    announcePosition: change.announcePosition ?? current.announcePosition,
    callbackOffer: change.callbackOffer ?? current.callbackOffer,
  };
  return problems.count() > 0 ? refused(invalid(problems.fields())) : changed(current, next, now);
}

/** Fields that only the operator may change. */
export interface OperatorChange {
  readonly active?: boolean;
  readonly smsCanSend?: boolean;
  readonly smsCanReceive?: boolean;
  readonly waitAudio?: WaitAudio;
}

export function updateByOperator(
  current: BusinessNumber,
  change: OperatorChange,
  now: Date,
): Decision<BusinessNumber, BusinessNumberEvent> {
  const next = {
    ...current,
    active: change.active ?? current.active,
    sms: {
      canSend: change.smsCanSend ?? current.sms.canSend,
      canReceive: change.smsCanReceive ?? current.sms.canReceive,
    },
    waitAudio: change.waitAudio ?? current.waitAudio,
  };
  return changed(current, next, now);
}

/** The company has it no longer: its routing, prompts and settings are gone, and its phone number is free. */
export function releaseBusinessNumber(current: BusinessNumber): Decision<null, BusinessNumberEvent> {
  const audit = auditOfReleasedNumber(current);
  return decided(null, [{ type: 'numbers-routing.number.released', number: current, audit }]);
}

/** A change that changes nothing is no event. */
export function changed(
  current: BusinessNumber,
  next: BusinessNumber,
  now: Date,
  also: (number: BusinessNumber) => readonly BusinessNumberEvent[] = () => [],
): Decision<BusinessNumber, BusinessNumberEvent> {
  const derived = withDerived(next);
  const changedFields = (Object.keys(derived) as (keyof BusinessNumber)[]).filter(
    (field) => !isDeepStrictEqual(derived[field], current[field]),
  );
  if (changedFields.length === 0) return decided(current);
  const number = { ...derived, updatedAt: now };
  const audit = auditOfNumber(current, number);
  return decided(number, [
    { type: 'numbers-routing.number.updated', number, changedFields, ...(audit && { audit }) },
    ...also(number),
  ]);
}

const slotFields = {
  incoming_call_config: 'incomingCallConfig',
  outside_business_hours_config: 'outsideBusinessHoursConfig',
  no_answer_config: 'noAnswerConfig',
} as const satisfies Record<RoutingSlot, keyof BusinessNumber>;

export const ROUTING_SLOTS = Object.keys(slotFields) as readonly RoutingSlot[];

export function flowIn(number: BusinessNumber, slot: RoutingSlot): CallFlow | null {
  return number[slotFields[slot]];
}

/** The number with another flow in a slot; null must not be given for `incoming_call_config`. */
export function withFlow(number: BusinessNumber, slot: RoutingSlot, flow: CallFlow | null): BusinessNumber {
  return { ...number, [slotFields[slot]]: flow };
}

/** The prompts of all slots and the announcement, each once. */
export function promptsOf(
  number: Pick<
    BusinessNumber,
    | 'name'
    | 'language'
    | 'recordingAnnouncement'
    | 'announcePosition'
    | 'callbackOffer'
    | (typeof slotFields)[RoutingSlot]
  >,
): readonly Prompt[] {
  const { recordingAnnouncement: announcement } = number;
  const flows = [number.incomingCallConfig, number.outsideBusinessHoursConfig, number.noAnswerConfig];
  const asksForKey = flows.flatMap(forwardsOf).some(({ forward }) => forward.confirm);
  const texts = [
    ...flows.flatMap(textsOf),
    ...(announcement ? [announcement] : []),
    ...(asksForKey ? [keyPromptText(number)] : []),
    ...positionTexts(number),
    ...callbackTexts(number),
  ];
  return [...new Set(texts)].map((text) => promptOf(number, text));
}

/** The text that is played before a recorded conversation; null where nothing is played, or calls are not recorded. */
export function announcementOf(number: BusinessNumber): string | null {
  return number.recordingEnabled ? number.recordingAnnouncement : null;
}

/** Callers further behind get no announcement yet. */
const PLACES_MAX = 10;

/** The texts that announce each place in the queue, from the first. */
export function positionTexts(number: Pick<BusinessNumber, 'language' | 'announcePosition'>): readonly string[] {
  const { position } = spokenTexts(number.language);
  return number.announcePosition ? Array.from({ length: PLACES_MAX }, (_, index) => position(index + 1)) : [];
}

/** The text that offers a callback to a waiting caller; none where callbacks are not offered. */
export function callbackTexts(number: Pick<BusinessNumber, 'language' | 'callbackOffer'>): readonly string[] {
  return number.callbackOffer ? [spokenTexts(number.language).callbackOffer] : [];
}

/** The text that asks somebody outside the company to press a key to accept a call. */
export function keyPromptText({ language, name }: Pick<BusinessNumber, 'language' | 'name'>): string {
  return spokenTexts(language).acceptCall(name);
}

/** A text in the number's language. */
export function promptOf({ language }: Pick<BusinessNumber, 'language'>, text: string): Prompt {
  return { text, language, voice: '' };
}

/** Everyone and everything that any slot names. What is derived from it is not in numbers that a release without it has made. */
export function targetsOf(number: Pick<BusinessNumber, (typeof slotFields)[RoutingSlot]>): FlowReferences {
  return referencesOf([number.incomingCallConfig, number.outsideBusinessHoursConfig, number.noAnswerConfig]);
}

function withDerived(number: Omit<BusinessNumber, 'targetIds' | 'assistantIds' | 'promptKeys'>): BusinessNumber {
  const { employeeIds, assistantIds } = targetsOf(number);
  return {
    ...number,
    targetIds: employeeIds,
    assistantIds,
    promptKeys: promptsOf(number).map(promptKey),
  };
}
