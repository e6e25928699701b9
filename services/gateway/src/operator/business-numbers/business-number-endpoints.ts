import { empty, endpoint, json } from '@parley/http';
import type { OperatorPrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { Clients } from '../../peers/peers.ts';
import {
  registrationStatusOf,
  registrationStatusSchema,
  waitAudioOf,
  waitAudioSchema,
  businessNumberJson,
  businessNumberSchema,
} from '../../routes/business-numbers/business-number-json.ts';
import { callFlowBody, callFlowMessage } from '../../routes/business-numbers/call-flow-body.ts';
import type { BusinessNumberView } from '@parley/proto/numbers_routing/v1/numbers_pb';
import { timestampOf } from '../../routes/shared/iso-time.ts';

/** A business number as the operator sees it: the public fields and whether it is switched on. */
const operatorNumberSchema = businessNumberSchema
  .extend({ active: z.boolean() })
  .meta({ id: 'OperatorBusinessNumber' });

function operatorNumberJson(view: BusinessNumberView | undefined): z.output<typeof operatorNumberSchema> {
  return { ...businessNumberJson(view), active: view?.number?.active ?? false };
}

export const operatorBusinessNumberEndpoints = (clients: Clients) => [
  createBusinessNumber(clients),
  updateBusinessNumber(clients),
  setRegistration(clients),
  releaseBusinessNumber(clients),
];

const createBusinessNumber = ({ businessNumberAdmin }: Clients) =>
  endpoint<OperatorPrincipal>('none')({
    route: 'POST /companies/:id/business_numbers',
    summary: 'Give a company a business number',
    description: 'By default, calls to it are transferred to the company’s owner.',
    body: z.object({
      number: z.string().max(64),
      name: z.string().max(128),
      timezone: z.string().max(64),
      language: z.string().max(35),
      recording_enabled: z.boolean().default(true),
      sms: z.object({ can_send: z.boolean().default(true), can_receive: z.boolean().default(true) }).optional(),
      wait_audio: waitAudioSchema.optional(),
      registration_status: registrationStatusSchema.optional(),
      registration_due_at: z.iso.datetime({ offset: true }).nullish(),
      incoming_call_config: callFlowBody.optional(),
    }),
    responses: { 201: operatorNumberSchema },
    errors: [404, 409, 422],
    async handle({ params, body, context }) {
      const { incoming_call_config: routing, registration_due_at: due, registration_status: status, sms } = body;
      const { view } = await businessNumberAdmin.createBusinessNumber(
        {
          companyId: params.id,
          number: body.number,
          name: body.name,
          timezone: body.timezone,
          language: body.language,
          recordingEnabled: body.recording_enabled,
          sms: { canSend: sms?.can_send ?? true, canReceive: sms?.can_receive ?? true },
          waitAudio: waitAudioOf(body.wait_audio),
          registrationStatus: status && registrationStatusOf(status),
          registrationDueAt: timestampOf(due),
          incomingCallConfig: routing && callFlowMessage(routing),
        },
        { as: context },
      );
      return json(201, operatorNumberJson(view));
    },
  });

const updateBusinessNumber = ({ businessNumberAdmin }: Clients) =>
  endpoint<OperatorPrincipal>('none')({
    route: 'PATCH /business_numbers/:id',
    summary: 'Update a business number',
    description: 'An inactive number takes no calls and no texts.',
    body: z.object({
      active: z.boolean().optional(),
      sms: z.object({ can_send: z.boolean().optional(), can_receive: z.boolean().optional() }).optional(),
      wait_audio: waitAudioSchema.optional(),
    }),
    responses: { 200: operatorNumberSchema },
    errors: [404, 422],
    async handle({ params, body, context }) {
      const { view } = await businessNumberAdmin.updateBusinessNumberByOperator(
        {
          id: params.id,
          active: body.active,
          smsCanSend: body.sms?.can_send,
          smsCanReceive: body.sms?.can_receive,
          waitAudio: waitAudioOf(body.wait_audio),
        },
        { as: context },
      );
      return json(200, operatorNumberJson(view));
    },
  });

const setRegistration = ({ businessNumberAdmin }: Clients) =>
  endpoint<OperatorPrincipal>('none')({
    route: 'PUT /business_numbers/:id/registration',
    summary: 'Move a registration',
    description: 'pending to submitted or failed; submitted to approved or rejected; rejected or failed to pending.',
    body: z.object({ status: registrationStatusSchema, reason: z.string().max(1000).nullish() }),
    responses: { 200: operatorNumberSchema },
    errors: { 404: 'not_found', 422: 'validation_failed, invalid_transition' },
    async handle({ params, body, context }) {
      const request = { id: params.id, status: registrationStatusOf(body.status), reason: body.reason ?? undefined };
      const { view } = await businessNumberAdmin.setRegistration(request, { as: context });
      return json(200, operatorNumberJson(view));
    },
  });

const releaseBusinessNumber = ({ businessNumberAdmin }: Clients) =>
  endpoint<OperatorPrincipal>('none')({
    route: 'DELETE /business_numbers/:id',
    summary: 'Release a business number',
    description:
      'It takes no calls and texts any more, and its routing, prompts and settings are removed. Calls in progress continue, and the company’s history keeps its name. The phone number can be given to any company.',
    responses: { 204: null },
    errors: [404],
    async handle({ params, context }) {
      await businessNumberAdmin.releaseBusinessNumber({ id: params.id }, { as: context });
      return empty(204);
    },
  });
