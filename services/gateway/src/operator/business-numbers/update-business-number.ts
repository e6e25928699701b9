import { json, endpoint } from '@parley/http';
import type { OperatorPrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { Clients } from '../../peers/peers.ts';
import { waitAudioOf, waitAudioSchema } from '../../routes/business-numbers/business-number-json.ts';
import { operatorNumberJson, operatorNumberSchema } from './business-number-json.ts';

export const updateBusinessNumberByOperator = ({ businessNumberAdmin }: Clients) =>
  endpoint<OperatorPrincipal>()({
    role: 'none',
    method: 'patch',
    path: '/business_numbers/:id',
    tag: 'Business numbers',
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
