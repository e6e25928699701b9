import { endpoint, json } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import { z } from 'zod';
import { boundedText, phoneText } from '../shared/bounded-text.ts';
import type { Clients } from '../../peers/peers.ts';
import { callJson, callSchema } from '@parley/public-json';

/** What the controller of a conversation does with it. */
export const conversationEndpoints = ({ calls }: Clients) => [
  endpoint<EmployeePrincipal>()({
    role: 'member',
    method: 'post',
    path: '/calls',
    tag: 'Calls',
    summary: 'Call somebody',
    description:
      'The phones of the employee ring for up to 30 seconds; when one answers, the other side is dialled and sees the business number. Members call for themselves, admins for everybody.',
    body: z.object({
      business_number_id: boundedText(100),
      to: phoneText.describe('E.164, or as written in the company’s country'),
      employee_id: boundedText(100).optional().describe('Whose phones ring; the caller of this endpoint by default'),
    }),
    responses: { 201: callSchema },
    errors: [403, 404, 409, 422, 429, 502],
    async handle({ body, context }) {
      const { business_number_id: businessNumberId, to, employee_id: employeeId } = body;
      const { call } = await calls.placeCall({ businessNumberId, to, employeeId }, { as: context });
      return json(201, callJson(call!));
    },
  }),
  endpoint<EmployeePrincipal>()({
    role: 'member',
    method: 'put',
    path: '/calls/:id/hold',
    tag: 'Calls',
    summary: 'Put a call on hold, or resume it',
    description:
      'By the employee in conversation. The other side hears the wait audio of the business number until it is resumed; starting a transfer ends the hold.',
    body: z.object({ on: z.boolean() }),
    responses: { 200: callSchema },
    errors: [403, 404, 409, 422, 502],
    async handle({ params, body, context }) {
      const { call } = await calls.holdCall({ id: params.id, on: body.on }, { as: context });
      return json(200, callJson(call!));
    },
  }),
  endpoint<EmployeePrincipal>()({
    role: 'member',
    method: 'put',
    path: '/calls/:id/recording',
    tag: 'Calls',
    summary: 'Pause the recording of a call, or resume it',
    description:
      'By the employee in conversation. Nothing of what is said from the response on is in the recording or the transcription, until it is resumed.',
    body: z.object({ paused: z.boolean() }),
    responses: { 200: callSchema },
    errors: [403, 404, 409, 422, 502],
    async handle({ params, body, context }) {
      const { call } = await calls.pauseRecording({ id: params.id, paused: body.paused }, { as: context });
      return json(200, callJson(call!));
    },
  }),
];
