import { empty, endpoint, json } from '@parley/http';
import { EndpointSource } from '@parley/proto/assistant/v1/assistants_pb';
import { enumJson } from '@parley/public-json';
import type { EmployeePrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { Clients } from '../../peers/peers.ts';
import {
  assistantChangeBody,
  assistantJson,
  assistantMessage,
  assistantSchema,
  newAssistantBody,
} from './assistant-json.ts';
import { knowledgeEndpoints } from './knowledge-endpoints.ts';
import { modelEndpoints } from './model-endpoints.ts';
import { testSessionEndpoints } from './test-session-endpoints.ts';

export const assistantEndpoints = (clients: Clients) => [
  listAssistants(clients),
  getAssistantOptions(clients),
  createAssistant(clients),
  getAssistant(clients),
  updateAssistant(clients),
  deleteAssistant(clients),
  ...testSessionEndpoints(clients),
  ...knowledgeEndpoints(clients),
  ...modelEndpoints(clients),
];

const listAssistants = ({ assistants }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    route: 'GET /assistants',
    sdkMethod: 'assistants.list',
    summary: 'List assistants',
    description: 'What answers the phone in a number’s routing (`AssistantConfig`), oldest first.',
    responses: { 200: z.object({ assistants: z.array(assistantSchema) }) },
    tools: {
      list_assistants: {
        description: 'The company’s assistants that answer the phone, with what they may do and whom they transfer to.',
        list: 'assistants',
      },
    },
    async handle({ context }) {
      const { assistants: all } = await assistants.listAssistants({}, { as: context });
      return json(200, { assistants: all.map(assistantJson) });
    },
  });

const sources = ['none', 'company', 'operator'] as const;
const sourceJson = enumJson(EndpointSource, sources, 'none');

const optionsSchema = z
  .object({
    languages: z.array(z.string()),
    voices: z.array(z.string()),
    endpoint: z
      .object({ source: z.enum(sources), model: z.string().nullable() })
      .describe('The language model of assistants whose engine is `auto`'),
  })
  .meta({ id: 'AssistantOptions' });

const getAssistantOptions = ({ assistants }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    route: 'GET /assistant_options',
    sdkMethod: 'assistantOptions.get',
    summary: 'Read what assistants can use',
    operationId: 'getAssistantOptions',
    description: 'The languages and voices to choose from, and whose language model there is.',
    responses: { 200: optionsSchema },
    async handle({ context }) {
      const { languages, voices, endpointSource, endpointModel } = await assistants.getAssistantOptions(
        {},
        { as: context },
      );
      return json(200, {
        languages,
        voices,
        endpoint: { source: sourceJson(endpointSource), model: endpointModel ?? null },
      });
    },
  });

const createAssistant = ({ assistants }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'admin',
    route: 'POST /assistants',
    sdkMethod: 'assistants.create',
    summary: 'Create an assistant',
    description: 'At most 20 in a company. It answers calls of numbers whose routing names it.',
    body: newAssistantBody,
    responses: { 201: assistantSchema },
    errors: { 403: 'destination_not_allowed', 422: 'limit_reached' },
    async handle({ body, context }) {
      const { assistant } = await assistants.createAssistant({ fields: assistantMessage(body) }, { as: context });
      return json(201, assistantJson(assistant!));
    },
  });

const getAssistant = ({ assistants }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    route: 'GET /assistants/:id',
    sdkMethod: 'assistants.get',
    summary: 'Read an assistant',
    description: 'Its words, what it may do and whom it may transfer to.',
    responses: { 200: assistantSchema },
    errors: [404],
    async handle({ params, context }) {
      const { assistant } = await assistants.getAssistant({ id: params.id }, { as: context });
      return json(200, assistantJson(assistant!));
    },
  });

const updateAssistant = ({ assistants }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'admin',
    route: 'PATCH /assistants/:id',
    sdkMethod: 'assistants.update',
    summary: 'Update an assistant',
    description:
      'Omitted fields keep their values; `actions` are merged, `transfer_targets` replaces the list. Calls in progress follow from the next turn.',
    body: assistantChangeBody,
    responses: { 200: assistantSchema },
    errors: { 403: 'destination_not_allowed', 404: 'not_found', 422: 'validation_failed' },
    // An unknown assistant is 404, whatever the fields are.
    async beforeRefusing({ params, context }) {
      await assistants.getAssistant({ id: params.id }, { as: context });
      return undefined;
    },
    async handle({ params, body, context }) {
      const request = { id: params.id, fields: assistantMessage(body) };
      const { assistant } = await assistants.updateAssistant(request, { as: context });
      return json(200, assistantJson(assistant!));
    },
  });

const deleteAssistant = ({ assistants }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'admin',
    route: 'DELETE /assistants/:id',
    sdkMethod: 'assistants.delete',
    summary: 'Delete an assistant',
    description: 'Refused while the routing of numbers names it; `main_numbers` lists them.',
    responses: { 204: null },
    errors: { 404: 'not_found', 409: 'assistant_in_use' },
    async handle({ params, context }) {
      await assistants.deleteAssistant({ id: params.id }, { as: context });
      return empty(204);
    },
  });
