import { boundedArray, endpoint, json } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import { z } from 'zod';
import { boundedText, lineText, longText, phoneText } from '../shared/bounded-text.ts';
import type { Clients } from '../../peers/peers.ts';
import { callJson, callSchema } from '@parley/public-json';
import { withShortTranscript } from './call-transcript.ts';
import { adds, overwrites, reachingCustomers, sets } from '../shared/tool-annotations.ts';

/** Repeated ones count once, so that more may be sent than there may be. */
const TAGS_ACCEPTED = 50;

/** Short, because assistants read the schemas of all tools: get_call describes all fields of a call. */
const callOfTool = {
  schema: callSchema.pick({ id: true, state: true, on_hold: true, recording_paused: true, note: true, tags: true }),
  of: (body: unknown) => withShortTranscript(body as z.output<typeof callSchema>),
};

export const conversationEndpoints = ({ calls }: Clients) => [
  endpoint<EmployeePrincipal>()({
    role: 'member',
    route: 'POST /calls',
    sdkMethod: 'calls.create',
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
    tools: {
      call_out: {
        description:
          'Rings the employee’s own phones; only when the employee answers is `to` called, from the business number. Only on the employee’s explicit request.',
        annotations: reachingCustomers(adds),
        omit: ['employee_id'],
        confirm: ({ to }) => (to ? `Call ${to}? Your phone rings first.` : undefined),
        result: callOfTool,
      },
    },
    async handle({ body, context }) {
      const { business_number_id: businessNumberId, to, employee_id: employeeId } = body;
      const { call } = await calls.placeCall({ businessNumberId, to, employeeId }, { as: context });
      return json(201, callJson(call!));
    },
  }),
  endpoint<EmployeePrincipal>()({
    role: 'member',
    route: 'PATCH /calls/:id',
    sdkMethod: 'calls.update',
    summary: 'Change the note and the tags of a call',
    description:
      'Omitted fields keep their values. A note has at most 10,000 characters; there are at most 10 tags of 40 characters. Tags that differ in the case of their letters are the same.',
    body: z.object({
      note: longText(10_000).nullable().optional(),
      tags: boundedArray(lineText(40), TAGS_ACCEPTED).optional(),
    }),
    responses: { 200: callSchema },
    errors: [404, 422],
    tools: {
      annotate_call: {
        title: 'Change the note and tags of a call',
        description: 'Replaces the note or the tags of a call, for the team. Read them with get_call before.',
        annotations: overwrites,
        result: callOfTool,
      },
    },
    async handle({ params, body: { note, tags }, context }) {
      const change = { note: note === null ? '' : note, ...(tags && { tags: { tags } }) };
      const { call } = await calls.updateCall({ id: params.id, ...change }, { as: context });
      return json(200, callJson(call!));
    },
  }),
  endpoint<EmployeePrincipal>()({
    role: 'member',
    route: 'PUT /calls/:id/hold',
    sdkMethod: 'calls.setHold',
    summary: 'Put a call on hold, or resume it',
    description:
      'By the employee in conversation. The other side hears the wait audio of the business number until it is resumed; starting a transfer ends the hold.',
    body: z.object({ on: z.boolean() }),
    responses: { 200: callSchema },
    errors: [403, 404, 409, 422, 502],
    tools: {
      hold_call: {
        title: 'Hold or resume a call',
        description: 'Puts the customer of the active call on hold (`on: true`), or connects the two again.',
        annotations: reachingCustomers(sets),
        result: callOfTool,
      },
    },
    async handle({ params, body, context }) {
      const { call } = await calls.holdCall({ id: params.id, on: body.on }, { as: context });
      return json(200, callJson(call!));
    },
  }),
  endpoint<EmployeePrincipal>()({
    role: 'member',
    route: 'PUT /calls/:id/recording',
    sdkMethod: 'calls.setRecording',
    summary: 'Pause the recording of a call, or resume it',
    description:
      'By the employee in conversation. Nothing of what is said from the response on is in the recording or the transcription, until it is resumed.',
    body: z.object({ paused: z.boolean() }),
    responses: { 200: callSchema },
    errors: [403, 404, 409, 422, 502],
    tools: {
      pause_recording: {
        title: 'Pause or resume the recording',
        description: 'Use it before the customer says a card number or the like in the active call.',
        annotations: sets,
        result: callOfTool,
      },
    },
    async handle({ params, body, context }) {
      const { call } = await calls.pauseRecording({ id: params.id, paused: body.paused }, { as: context });
      return json(200, callJson(call!));
    },
  }),
];
