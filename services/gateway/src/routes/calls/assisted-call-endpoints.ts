import { empty, endpoint, json } from '@parley/http';
import {
  assistantSessionItemJson,
  assistantSessionItemSchema,
  assistantSessionJson,
  assistantSessionSchema,
  participantJson,
  participantSchema,
} from '@parley/public-json';
import type { EmployeePrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { Clients } from '../../peers/peers.ts';
import { pageCursor, pageLimit } from '../shared/page-query.ts';
import { reachingCustomers, sets } from '../shared/tool-annotations.ts';

export const assistedCallEndpoints = (clients: Clients) => [
  getAssistantSession(clients),
  startTakeover(clients),
  cancelTakeover(clients),
];

const sessionPageSchema = assistantSessionSchema
  .extend({ items: z.array(assistantSessionItemSchema), next_cursor: z.string().nullable() })
  .meta({ id: 'AssistantSessionPage' });

const getAssistantSession = ({ assistantSessions }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    route: 'GET /calls/:id/assistant_session',
    sdkMethod: 'calls.getAssistantSession',
    summary: 'Read the conversation of a call with an assistant',
    operationId: 'getAssistantSession',
    description:
      'During the call and after it, a page of what was said and done, in order. 404 when no assistant answered the call.',
    query: z.object({ limit: pageLimit, cursor: pageCursor }),
    responses: { 200: sessionPageSchema },
    errors: [404, 422],
    tools: {
      get_assistant_session: {
        title: 'Get a conversation with an assistant',
        description: 'What a caller and the company’s assistant on the phone said and did, with the message it took.',
        rename: { id: 'call_id' },
        list: 'items',
      },
    },
    async handle({ params, query, context }) {
      const request = { callId: params.id, limit: query.limit, cursor: query.cursor ?? '' };
      const { session, items, nextCursor = null } = await assistantSessions.getSession(request, { as: context });
      return json(200, {
        ...assistantSessionJson(session!),
        items: items.map(assistantSessionItemJson),
        next_cursor: nextCursor,
      });
    },
  });

const takeoverSchema = z.object({ employee: participantSchema, state: z.literal('ringing') }).meta({ id: 'Takeover' });

const startTakeover = ({ takeovers }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    route: 'POST /calls/:id/takeover',
    sdkMethod: 'calls.takeover.start',
    summary: 'Take a call over from an assistant',
    operationId: 'startTakeover',
    description:
      'Rings your phones for up to 30 seconds while the assistant goes on. When you answer, it leaves and you are connected with the caller.',
    responses: { 201: z.object({ takeover: takeoverSchema }) },
    errors: { 404: 'not_found', 409: 'assistant_not_in_call, takeover_in_progress, employee_unavailable' },
    tools: {
      take_over_call: {
        title: 'Take over a call',
        description:
          'Rings the employee’s own phone to take a call over from the assistant that answered it. Only on their explicit request.',
        annotations: reachingCustomers(sets),
        rename: { id: 'call_id' },
        confirm: () => 'Take the call over from the assistant? Your phone rings.',
      },
    },
    async handle({ params, context }) {
      const { employee } = await takeovers.startTakeover({ callId: params.id }, { as: context });
      return json(201, { takeover: { employee: participantJson(employee!), state: 'ringing' as const } });
    },
  });

const cancelTakeover = ({ takeovers }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    route: 'DELETE /calls/:id/takeover',
    sdkMethod: 'calls.takeover.cancel',
    summary: 'Withdraw your takeover of a call',
    operationId: 'cancelTakeover',
    description: 'Your phones stop ringing; the assistant goes on.',
    responses: { 204: null },
    errors: [404],
    async handle({ params, context }) {
      await takeovers.cancelTakeover({ callId: params.id }, { as: context });
      return empty(204);
    },
  });
