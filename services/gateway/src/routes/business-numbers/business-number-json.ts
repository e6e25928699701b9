import {
  type BusinessHoursEntry,
  type BusinessNumberView,
  RegistrationStatus,
  RingStrategy,
  WaitAudio,
} from '@parley/proto/numbers_routing/v1/numbers_pb';
import { z } from 'zod';
import { callFlowJson, callFlowSchema } from './call-flow-json.ts';
import { closureJson, closureSchema } from './closure-json.ts';
import { isoTime, registrationStatuses } from '@parley/public-json';

export const RING_STRATEGY_TEXT =
  '`all` rings everybody at once; `longest_idle` and `in_order` ring one employee after the other, for 20 seconds each';

export const ANNOUNCE_POSITION_TEXT =
  'Whether waiting callers hear their place in the queue when it changes, at most every 30 seconds';

export const CALLBACK_OFFER_TEXT =
  'Whether a waiting caller can press 1 to be called back, keeping the place in the queue';

const DAY_NAMES = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

export const waitAudioSchema = z.enum(['ringtone', 'music']);

export const ringStrategySchema = z.enum(['all', 'longest_idle', 'in_order']);

export const registrationStatusSchema = z.enum(registrationStatuses);

export const breakSchema = z
  .object({ from: z.string().describe('HH:MM'), to: z.string().describe('HH:MM, exclusive') })
  .meta({ id: 'BusinessHoursBreak' });

export const businessHoursEntrySchema = z
  .object({
    day_of_week: z.int().describe('0 is Monday'),
    day_name: z.string(),
    open: z.boolean(),
    opening_at: z.string().describe('HH:MM'),
    closing_at: z.string().describe('HH:MM; 24:00 is the end of the day'),
    breaks: z.array(breakSchema).describe('Closed parts of the opening time, earliest first'),
  })
  .meta({ id: 'BusinessHoursEntry' });

const capabilitySchema = z.object({ can_send: z.boolean(), can_receive: z.boolean() });

/** A business number with all its fields. */
export const businessNumberSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    number: z.string().describe('E.164'),
    number_formatted: z.string(),
    timezone: z.string(),
    language: z.string(),
    recording_enabled: z.boolean(),
    recording_announcement: z
      .string()
      .nullable()
      .describe('What the other side hears before a recorded conversation; null for nothing'),
    incoming_call_config: callFlowSchema,
    outside_business_hours_config: callFlowSchema.nullable(),
    no_answer_config: callFlowSchema.nullable(),
    no_answer_timeout_secs: z.int().nullable(),
    wait_audio: waitAudioSchema,
    ring_strategy: ringStrategySchema.describe(RING_STRATEGY_TEXT),
    announce_position: z.boolean().describe(ANNOUNCE_POSITION_TEXT),
    callback_offer: z.boolean().describe(CALLBACK_OFFER_TEXT),
    registration_status: registrationStatusSchema,
    registration_due_at: z.string().nullable(),
    business_hours: z.array(businessHoursEntrySchema),
    closures: z.array(closureSchema).describe('Days on which the number is closed whatever its hours are'),
    messaging: z.object({ sms: capabilitySchema, mms: capabilitySchema }),
  })
  .meta({ id: 'BusinessNumber' });

export function businessNumberJson(view: BusinessNumberView | undefined): z.output<typeof businessNumberSchema> {
  const number = view?.number;
  const flow = number?.incomingCallConfig;
  if (!view || !number || !flow) throw new Error('a business number without its routing');
  const { outsideBusinessHoursConfig: outside, noAnswerConfig: noAnswer } = number;
  return {
    id: number.id,
    name: number.name,
    number: number.number,
    number_formatted: number.numberFormatted,
    timezone: number.timezone,
    language: number.language,
    recording_enabled: number.recordingEnabled,
    recording_announcement: number.recordingAnnouncement ?? null,
    incoming_call_config: callFlowJson(flow),
    outside_business_hours_config: outside ? callFlowJson(outside) : null,
    no_answer_config: noAnswer ? callFlowJson(noAnswer) : null,
    no_answer_timeout_secs: number.noAnswerTimeoutSecs ?? null,
    wait_audio: number.waitAudio === WaitAudio.MUSIC ? 'music' : 'ringtone',
    ring_strategy: ringStrategyNames[number.ringStrategy],
    announce_position: number.announcePosition,
    callback_offer: number.callbackOffer,
    registration_status: statusNames[number.registrationStatus],
    registration_due_at: isoTime(number.registrationDueAt),
    business_hours: number.businessHours.map(businessHoursEntryJson),
    closures: number.closures.map(closureJson),
    messaging: {
      sms: {
        can_send: (number.sms?.canSend ?? false) && view.companyMessagingEnabled,
        can_receive: number.sms?.canReceive ?? false,
      },
      mms: { can_send: false, can_receive: false },
    },
  };
}

export function businessHoursEntryJson(entry: BusinessHoursEntry): z.output<typeof businessHoursEntrySchema> {
  return {
    day_of_week: entry.dayOfWeek,
    day_name: DAY_NAMES[entry.dayOfWeek] ?? '',
    open: entry.open,
    opening_at: entry.openingAt,
    closing_at: entry.closingAt,
    breaks: entry.breaks.map(({ from, to }) => ({ from, to })),
  };
}

type RingStrategyName = z.output<typeof ringStrategySchema>;

const ringStrategyNames: Record<RingStrategy, RingStrategyName> = {
  [RingStrategy.UNSPECIFIED]: 'all',
  [RingStrategy.ALL]: 'all',
  [RingStrategy.LONGEST_IDLE]: 'longest_idle',
  [RingStrategy.IN_ORDER]: 'in_order',
};

export function ringStrategyOf(name: RingStrategyName | undefined): RingStrategy | undefined {
  return name && RingStrategy[name.toUpperCase() as Uppercase<RingStrategyName>];
}

type StatusName = z.output<typeof registrationStatusSchema>;

const statusNames: Record<RegistrationStatus, StatusName> = {
  [RegistrationStatus.UNSPECIFIED]: 'not_required',
  [RegistrationStatus.NOT_REQUIRED]: 'not_required',
  [RegistrationStatus.PENDING]: 'pending',
  [RegistrationStatus.SUBMITTED]: 'submitted',
  [RegistrationStatus.APPROVED]: 'approved',
  [RegistrationStatus.REJECTED]: 'rejected',
  [RegistrationStatus.FAILED]: 'failed',
};

export function registrationStatusOf(name: StatusName): RegistrationStatus {
  return RegistrationStatus[name.toUpperCase() as Uppercase<StatusName>];
}

export function waitAudioOf(name: z.output<typeof waitAudioSchema> | undefined): WaitAudio | undefined {
  if (name === undefined) return undefined;
  return name === 'music' ? WaitAudio.MUSIC : WaitAudio.RINGTONE;
}
