import { endpoint, json } from '@parley/http';
import { argumentsJson, assistantEngineJson, isoTimeOf, sourceJson, sourceSchema } from '@parley/public-json';
import type { EmployeePrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { Clients } from '../../peers/peers.ts';
import { boundedText, longText, phoneText } from '../shared/bounded-text.ts';
import { isoTimeSchema, timestampOf } from '../shared/iso-time.ts';

export const testSessionEndpoints = (clients: Clients) => [startTestSession(clients), takeTestTurn(clients)];

const TURN_TIME_LIMIT_MS = 20_000;

const testSessionSchema = z
  .object({ id: z.string(), reply: z.string().describe('Disclosure and greeting'), expires_at: z.string() })
  .meta({ id: 'AssistantTestSession' });

const testTurnSchema = z
  .object({
    reply: z.string(),
    actions: z
      .array(
        z.object({
          action: z.string(),
          arguments: z.record(z.string(), z.unknown()),
          result: z.literal('simulated'),
        }),
      )
      .describe('What it would do in a call'),
    sources: z.array(sourceSchema).describe('What the reply was taken from'),
    understood: z.boolean(),
    engine: z.enum(['embedded', 'endpoint']),
    duration_ms: z.int(),
    ended: z.boolean().describe('The conversation is over'),
  })
  .meta({ id: 'AssistantTestTurn' });

const startTestSession = ({ assistantSessions }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'admin',
    route: 'POST /assistants/:id/test_sessions',
    sdkMethod: 'assistants.testSessions.create',
    summary: 'Try an assistant',
    operationId: 'startAssistantTestSession',
    description:
      'Begins a conversation without a phone, for 15 minutes. Nobody is called or sent a text, and nothing is stored; a language model’s tokens count.',
    body: z.object({
      business_number_id: boundedText(64).describe('The number that is called'),
      phone: phoneText.nullish().describe('Who calls; nobody known unless given'),
      at: isoTimeSchema.nullish().describe('When; now unless given'),
    }),
    responses: { 201: testSessionSchema },
    errors: [404, 422, 429],
    timeLimitMs: TURN_TIME_LIMIT_MS,
    async handle({ params, body, context }) {
      const { business_number_id: businessNumberId, phone, at } = body;
      const request = { assistantId: params.id, businessNumberId, phone: phone ?? undefined, at: timestampOf(at) };
      const { id, reply, expiresAt } = await assistantSessions.startTestSession(request, { as: context });
      return json(201, { id, reply, expires_at: isoTimeOf(expiresAt) });
    },
  });

const takeTestTurn = ({ assistantSessions }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'admin',
    route: 'POST /assistants/:id/test_sessions/:session_id/turns',
    sdkMethod: 'assistants.testSessions.turns.create',
    summary: 'Say something to an assistant that is tried',
    operationId: 'takeAssistantTestTurn',
    description: 'At most 60 a minute in a company.',
    body: z.object({ text: longText(500).describe('1 to 500 characters') }),
    responses: { 200: testTurnSchema },
    errors: [404, 422, 429],
    timeLimitMs: TURN_TIME_LIMIT_MS,
    async handle({ params, body, context }) {
      const request = { assistantId: params.id, sessionId: params.session_id, text: body.text };
      const turn = await assistantSessions.takeTestTurn(request, {
        as: context,
        timeoutMs: TURN_TIME_LIMIT_MS,
      });
      return json(200, {
        reply: turn.reply,
        actions: turn.actions.map(({ action, argumentsJson: text }) => ({
          action,
          arguments: argumentsJson(text),
          result: 'simulated' as const,
        })),
        sources: turn.sources.map(sourceJson),
        understood: turn.understood,
        engine: assistantEngineJson(turn.engine),
        duration_ms: turn.durationMs,
        ended: turn.ended,
      });
    },
  });
