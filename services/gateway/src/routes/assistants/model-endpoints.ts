import { empty, endpoint, json } from '@parley/http';
import { type AssistantEndpoint, EndpointState } from '@parley/proto/assistant/v1/endpoint_pb';
import { enumJson } from '@parley/public-json';
import type { EmployeePrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { Clients } from '../../peers/peers.ts';
import { boundedText, lineText, urlText } from '../shared/bounded-text.ts';

/** The company's language model. */
export const modelEndpoints = (clients: Clients) => [
  getAssistantEndpoint(clients),
  putAssistantEndpoint(clients),
  deleteAssistantEndpoint(clients),
  testAssistantEndpoint(clients),
];

const states = ['ok', 'failing', 'limit_reached', 'not_set'] as const;
const stateJson = enumJson(EndpointState, states, 'not_set');

const pricesSchema = z
  .object({ currency: z.string(), input_per_million: z.string(), output_per_million: z.string() })
  .describe('What tokens cost; amounts are decimal numbers');

const endpointSchema = z
  .object({
    url: z.string().nullable(),
    model: z.string().nullable(),
    api_key_set: z.boolean(),
    prices: pricesSchema.nullable(),
    monthly_spend_limit: z.string().nullable().describe('In the currency of the prices'),
    spend: z
      .object({
        month: z.string().describe('YYYY-MM (UTC)'),
        amount: z.string().nullable().describe('Null without prices'),
        currency: z.string().nullable(),
        input_tokens: z.int(),
        output_tokens: z.int(),
      })
      .describe('This month’s'),
    state: z.enum(states),
    last_error: z.string().nullable(),
  })
  .meta({ id: 'AssistantEndpoint' });

const amount = boundedText(20);

const endpointBody = z.object({
  url: urlText.describe('The base of its address up to the version; https and public'),
  model: lineText(200),
  api_key: boundedText(1024)
    .nullish()
    .describe('Omitted: the stored one stays while `url` is unchanged. Null removes it. It is never shown'),
  prices: z
    .object({ currency: boundedText(3), input_per_million: amount, output_per_million: amount })
    .nullish()
    .describe('Amounts as strings, such as "0.15"; the currency as in ISO 4217'),
  monthly_spend_limit: amount.nullish().describe('Needs prices'),
});

const errors = ['unreachable', 'unauthorized', 'unknown_model', 'timeout', 'no_tools', 'invalid_answer'] as const;

const testSchema = z
  .object({
    ok: z.boolean(),
    first_token_ms: z.int().nullable(),
    streams: z.boolean(),
    calls_tools: z.boolean(),
    error: z.enum(errors).nullable(),
  })
  .meta({ id: 'AssistantEndpointTest' });

function endpointJson(endpoint: AssistantEndpoint): z.output<typeof endpointSchema> {
  const { prices, spend } = endpoint;
  return {
    url: endpoint.url ?? null,
    model: endpoint.model ?? null,
    api_key_set: endpoint.apiKeySet,
    prices: prices
      ? {
          currency: prices.currency,
          input_per_million: prices.inputPerMillion,
          output_per_million: prices.outputPerMillion,
        }
      : null,
    monthly_spend_limit: endpoint.monthlySpendLimit ?? null,
    spend: {
      month: spend?.month ?? '',
      amount: spend?.amount ?? null,
      currency: spend?.currency ?? null,
      input_tokens: Number(spend?.inputTokens ?? 0),
      output_tokens: Number(spend?.outputTokens ?? 0),
    },
    state: stateJson(endpoint.state),
    last_error: endpoint.lastError ?? null,
  };
}

const getAssistantEndpoint = ({ assistantEndpoint }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'admin',
    route: 'GET /assistant_endpoint',
    sdkMethod: 'assistantEndpoint.get',
    summary: 'Read the language model of the assistants',
    operationId: 'getAssistantEndpoint',
    description: 'The company’s own, with what it has cost this month; never its key. `url` is null without one.',
    responses: { 200: endpointSchema },
    async handle({ context }) {
      const { endpoint: found } = await assistantEndpoint.getAssistantEndpoint({}, { as: context });
      return json(200, endpointJson(found!));
    },
  });

const putAssistantEndpoint = ({ assistantEndpoint }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'admin',
    // The service decides about what replaces a limit that is there.
    permitsFields: ({ credentialType }, _params, { api_key: key }) =>
      credentialType !== 'oauth_token' || key === undefined,
    route: 'PUT /assistant_endpoint',
    sdkMethod: 'assistantEndpoint.set',
    summary: 'Set the language model of the assistants',
    operationId: 'putAssistantEndpoint',
    description:
      'Any address that is compatible with OpenAI’s chat completions. Replaces all settings. Key and limit cannot be changed with an OAuth token.',
    body: endpointBody,
    responses: { 200: endpointSchema },
    errors: [403, 422],
    async handle({ body, context }) {
      const { url, model, api_key: key, prices, monthly_spend_limit: limit } = body;
      const request = {
        url,
        model,
        key: keyMessage(key),
        ...(prices && {
          prices: {
            currency: prices.currency,
            inputPerMillion: prices.input_per_million,
            outputPerMillion: prices.output_per_million,
          },
        }),
        monthlySpendLimit: limit ?? undefined,
      };
      const { endpoint: stored } = await assistantEndpoint.putAssistantEndpoint(request, { as: context });
      return json(200, endpointJson(stored!));
    },
  });

function keyMessage(key: string | null | undefined) {
  if (key === undefined) return { case: undefined };
  return key === null ? { case: 'removeApiKey' as const, value: true } : { case: 'apiKey' as const, value: key };
}

const deleteAssistantEndpoint = ({ assistantEndpoint }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'admin',
    route: 'DELETE /assistant_endpoint',
    sdkMethod: 'assistantEndpoint.delete',
    summary: 'Remove the language model of the assistants',
    operationId: 'deleteAssistantEndpoint',
    description: 'Assistants use the operator’s, or the embedded engine, from their next turn.',
    responses: { 204: null },
    errors: [403],
    async handle({ context }) {
      await assistantEndpoint.deleteAssistantEndpoint({}, { as: context });
      return empty(204);
    },
  });

/** Its first token may take 4 s, and it is asked twice. */
const TEST_TIME_LIMIT_MS = 30_000;

const testAssistantEndpoint = ({ assistantEndpoint }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'admin',
    route: 'POST /assistant_endpoint/test',
    sdkMethod: 'assistantEndpoint.test',
    summary: 'Test the language model of the assistants',
    operationId: 'testAssistantEndpoint',
    description: 'Sends a short request to the stored address. 404 without one.',
    responses: { 200: testSchema },
    errors: [404],
    timeLimitMs: TEST_TIME_LIMIT_MS,
    async handle({ context }) {
      const test = await assistantEndpoint.testAssistantEndpoint({}, { as: context, timeoutMs: TEST_TIME_LIMIT_MS });
      return json(200, {
        ok: test.ok,
        first_token_ms: test.firstTokenMs ?? null,
        streams: test.streams,
        calls_tools: test.callsTools,
        error: errors.find((error) => error === test.error) ?? null,
      });
    },
  });
