import { endpoint, json } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { Clients } from '../../peers/peers.ts';
import { businessHoursBody, businessHoursMessage } from './business-hours-body.ts';
import {
  ANNOUNCE_POSITION_TEXT,
  businessNumberJson,
  businessNumberSchema,
  CALLBACK_OFFER_TEXT,
  RING_STRATEGY_TEXT,
  ringStrategyOf,
  ringStrategySchema,
  waitAudioOf,
  waitAudioSchema,
} from './business-number-json.ts';
import {
  callFlowBody,
  callFlowMessage,
  clearableCallFlowBody,
  clearableCallFlowMessage,
  TEXT_UNITS_MAX,
} from './call-flow-body.ts';
import { callTargetProblems, callTargetsIn } from './call-targets.ts';
import { closureEndpoints, listHolidays } from './closure-endpoints.ts';
import { createVoicePreview } from './create-voice-preview.ts';
import { explainProposedRoute, explainRoute } from './explain-route.ts';
import { textingSettingsEndpoints } from './texting-settings-endpoints.ts';
import { noAnswerTimeoutBody, noAnswerTimeoutError, noAnswerTimerMessage } from './no-answer-timeout-body.ts';

export const businessNumberEndpoints = (clients: Clients) => [
  listBusinessNumbers(clients),
  getBusinessNumber(clients),
  updateBusinessNumber(clients),
  setIncomingCallConfig(clients),
  setOutsideBusinessHoursConfig(clients),
  setNoAnswerConfig(clients),
  createVoicePreview(clients),
  ...textingSettingsEndpoints(clients),
  explainRoute(clients),
  explainProposedRoute(clients),
  ...closureEndpoints(clients),
  listHolidays(clients),
];

const summarySchema = z
  .object({ id: z.string(), name: z.string(), number: z.string(), number_formatted: z.string() })
  .meta({ id: 'BusinessNumberSummary' });

const listBusinessNumbers = ({ businessNumbers }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    route: 'GET /business_numbers',
    sdkMethod: 'businessNumbers.list',
    summary: 'List business numbers',
    description: 'Oldest first. The list key `main_numbers` is the former name of the resource.',
    responses: { 200: z.object({ main_numbers: z.array(summarySchema) }) },
    tools: {
      list_business_numbers: {
        description: 'The company’s own phone numbers. Use it to find the id of a number.',
        list: 'main_numbers',
      },
    },
    async handle({ context }) {
      const { numbers } = await businessNumbers.listBusinessNumbers({}, { as: context });
      return json(200, {
        main_numbers: numbers.map(({ id, name, number, numberFormatted }) => ({
          id,
          name,
          number,
          number_formatted: numberFormatted,
        })),
      });
    },
  });

const getBusinessNumber = ({ businessNumbers }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    route: 'GET /business_numbers/:id',
    sdkMethod: 'businessNumbers.get',
    summary: 'Read a business number',
    description: 'The number with its routing, hours, closures, registration and texting settings.',
    responses: { 200: businessNumberSchema },
    errors: [404],
    tools: {
      get_business_number: {
        title: 'Get a business number',
        description:
          'One business number with its business hours, call routing and whether it can text. Use it when the id is known.',
      },
    },
    async handle({ params, context }) {
      const { view } = await businessNumbers.getBusinessNumber({ id: params.id }, { as: context });
      return json(200, businessNumberJson(view));
    },
  });

const updateBusinessNumber = ({ businessNumbers }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'admin',
    route: 'PATCH /business_numbers/:id',
    sdkMethod: 'businessNumbers.update',
    summary: 'Update a business number',
    description: 'Routing and business hours have their own endpoints.',
    body: z.object({
      name: z.string().max(128).optional().describe('ASCII letters, digits, spaces and -_~!.+, up to 128 characters'),
      timezone: z.string().max(64).optional().describe('IANA'),
      language: z.string().max(35).optional(),
      recording_enabled: z.boolean().optional(),
      recording_announcement: z
        .string()
        .max(TEXT_UNITS_MAX)
        .nullable()
        .optional()
        .describe('What the other side hears before a recorded conversation; null for nothing'),
      wait_audio: waitAudioSchema.optional(),
      ring_strategy: ringStrategySchema.optional().describe(RING_STRATEGY_TEXT),
      announce_position: z.boolean().optional().describe(ANNOUNCE_POSITION_TEXT),
      callback_offer: z.boolean().optional().describe(CALLBACK_OFFER_TEXT),
    }),
    responses: { 200: businessNumberSchema },
    errors: [404, 422],
    async handle({ params, body, context }) {
      const { view } = await businessNumbers.updateBusinessNumber(
        {
          id: params.id,
          name: body.name,
          timezone: body.timezone,
          language: body.language,
          recordingEnabled: body.recording_enabled,
          recordingAnnouncement: announcementMessage(body.recording_announcement),
          waitAudio: waitAudioOf(body.wait_audio),
          ringStrategy: ringStrategyOf(body.ring_strategy),
          announcePosition: body.announce_position,
          callbackOffer: body.callback_offer,
        },
        { as: context },
      );
      return json(200, businessNumberJson(view));
    },
  });

/** Undefined is "as it is", a message without a text is none. */
function announcementMessage(text: string | null | undefined) {
  if (text === undefined) return undefined;
  return text === null ? {} : { text };
}

const setIncomingCallConfig = (clients: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'admin',
    route: 'PUT /business_numbers/:id/incoming_call_config',
    sdkMethod: 'businessNumbers.setIncomingCallConfig',
    summary: 'Set the routing during business hours',
    description: 'It cannot be cleared.',
    body: callFlowBody,
    responses: { 200: businessNumberSchema },
    errors: { 403: '`destination_not_allowed`', 404: 'not_found', 422: 'validation_failed' },
    beforeRefusing: ({ params, context, rejectedBody }) =>
      callTargetProblems(clients, params.id, callTargetsIn(rejectedBody), context),
    async handle({ params, body, context }) {
      const { view } = await clients.businessNumbers.setIncomingCallConfig(
        { id: params.id, config: callFlowMessage(body) },
        { as: context },
      );
      return json(200, businessNumberJson(view));
    },
  });

const setOutsideBusinessHoursConfig = (clients: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'admin',
    route: 'PUT /business_numbers/:id/outside_business_hours_config',
    sdkMethod: 'businessNumbers.setOutsideBusinessHoursConfig',
    summary: 'Set the routing outside business hours',
    description: 'A null type clears it: calls are then routed as during business hours. The schedule may change too.',
    body: clearableCallFlowBody.and(z.object({ business_hours: businessHoursBody.optional() })),
    responses: { 200: businessNumberSchema },
    errors: { 403: '`destination_not_allowed`', 404: 'not_found', 422: 'validation_failed' },
    beforeRefusing: ({ params, context, rejectedBody }) =>
      callTargetProblems(clients, params.id, callTargetsIn(rejectedBody), context),
    async handle({ params, body, context }) {
      const { view } = await clients.businessNumbers.setOutsideBusinessHoursConfig(
        {
          id: params.id,
          config: clearableCallFlowMessage(body),
          businessHours: businessHoursMessage(body.business_hours),
        },
        { as: context },
      );
      return json(200, businessNumberJson(view));
    },
  });

const timeoutText =
  'The timer: 0, null or blank disables it; if omitted, it is not changed. Of a ForwardConfig how long it rings';

const isTimer = (value: unknown) => noAnswerTimeoutBody.optional().safeParse(value).success;

const setNoAnswerConfig = (clients: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'admin',
    route: 'PUT /business_numbers/:id/no_answer_config',
    sdkMethod: 'businessNumbers.setNoAnswerConfig',
    summary: 'Set the routing of unanswered calls',
    description:
      'A null type clears it. A flow without a timer is kept but does not run. `timeout_secs` of a ForwardConfig is how long it rings, and also the timer where it is one of its values and `no_answer_timeout_secs` is not sent.',
    body: clearableCallFlowBody
      .and(
        z.object({
          timeout_secs: z
            .unknown()
            .optional()
            .meta({ type: ['integer', 'string', 'null'], description: timeoutText }),
          no_answer_timeout_secs: noAnswerTimeoutBody.optional().describe('The timer, instead of `timeout_secs`'),
        }),
      )
      .refine(({ type, timeout_secs: given }) => type === 'ForwardConfig' || isTimer(given), {
        path: ['timeout_secs'],
        error: noAnswerTimeoutError,
        when: ({ value }) => typeof value === 'object' && value !== null,
      }),
    responses: { 200: businessNumberSchema },
    errors: { 403: '`destination_not_allowed`', 404: 'not_found', 422: 'validation_failed' },
    beforeRefusing: ({ params, context, rejectedBody }) =>
      callTargetProblems(clients, params.id, callTargetsIn(rejectedBody), context),
    async handle({ params, body, context }) {
      const timeoutSecs = noAnswerTimeoutBody.safeParse(body.timeout_secs).data;
      const { no_answer_timeout_secs: timerSecs = timeoutSecs } = body;
      const { view } = await clients.businessNumbers.setNoAnswerConfig(
        { id: params.id, config: clearableCallFlowMessage(body), timer: noAnswerTimerMessage(timerSecs) },
        { as: context },
      );
      return json(200, businessNumberJson(view));
    },
  });
