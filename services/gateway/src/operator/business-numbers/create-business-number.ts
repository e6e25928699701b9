import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { json, endpoint } from '@parley/http';
import type { OperatorPrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { Clients } from '../../peers/peers.ts';
import {
  registrationStatusOf,
  registrationStatusSchema,
  waitAudioOf,
  waitAudioSchema,
} from '../../routes/business-numbers/business-number-json.ts';
import { callFlowBody, callFlowMessage } from '../../routes/business-numbers/call-flow-body.ts';
import { operatorNumberJson, operatorNumberSchema } from './business-number-json.ts';

export const createBusinessNumber = ({ businessNumberAdmin }: Clients) =>
  endpoint<OperatorPrincipal>()({
    role: 'none',
    method: 'post',
    path: '/companies/:id/business_numbers',
    tag: 'Business numbers',
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
          registrationDueAt: due ? timestampFromDate(new Date(due)) : undefined,
          incomingCallConfig: routing && callFlowMessage(routing),
        },
        { as: context },
      );
      return json(201, operatorNumberJson(view));
    },
  });
