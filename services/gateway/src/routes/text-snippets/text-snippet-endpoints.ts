import { empty, endpoint, json, streamArray } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { TextSnippet } from '@parley/proto/messaging_inbox/v1/snippets_pb';
import type { Clients } from '../../peers/peers.ts';
import { openList } from '../shared/long-list.ts';
import { cleanLine, cleanText } from '../shared/bounded-text.ts';
import { isoTimeOf } from '@parley/public-json';

export const textSnippetEndpoints = (clients: Clients) => [
  listTextSnippets(clients),
  createTextSnippet(clients),
  getTextSnippet(clients),
  updateTextSnippet(clients),
  deleteTextSnippet(clients),
];

const listTextSnippets = ({ textSnippets }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    route: 'GET /text_snippets',
    sdkMethod: 'textSnippets.list',
    summary: 'List text snippets',
    description: 'By position, then by creation time. 404 while texting is off for the company.',
    responses: { 200: z.array(textSnippetSchema) },
    errors: [404],
    tools: {
      list_text_snippets: {
        description: 'Texts the company has prepared for reuse. Look here before writing a text.',
        list: 'text_snippets',
        feature: 'texting',
      },
    },
    async handle({ context, requestId }) {
      const chunks = await openList(
        { context, requestId },
        (options) => textSnippets.listTextSnippets({}, options),
        (response) => response.snippets,
      );
      return streamArray(chunks, textSnippetJson);
    },
  });

const createTextSnippet = ({ textSnippets, messages }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    route: 'POST /text_snippets',
    sdkMethod: 'textSnippets.create',
    summary: 'Create a text snippet',
    description: 'Shared by the company; at most 1,000. 404 while texting is off for the company.',
    body: z.object({ ...textSnippetFields, position: textSnippetFields.position.optional() }),
    responses: { 201: textSnippetSchema },
    errors: { 404: 'not_found', 422: 'limit_reached' },
    async beforeRefusing({ context }) {
      await messages.checkTexting({}, { as: context });
      return undefined;
    },
    async handle({ body, context }) {
      const { snippet } = await textSnippets.createTextSnippet(body, { as: context });
      return json(201, textSnippetJson(snippet!));
    },
  });

const getTextSnippet = ({ textSnippets }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    route: 'GET /text_snippets/:id',
    sdkMethod: 'textSnippets.get',
    summary: 'Read a text snippet',
    description: 'A prepared text for replies. 404 while texting is off for the company.',
    responses: { 200: textSnippetSchema },
    errors: [404],
    async handle({ params, context }) {
      const { snippet } = await textSnippets.getTextSnippet({ id: params.id }, { as: context });
      return json(200, textSnippetJson(snippet!));
    },
  });

const updateTextSnippet = ({ textSnippets }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    route: 'PATCH /text_snippets/:id',
    sdkMethod: 'textSnippets.update',
    summary: 'Update a text snippet',
    description: 'Omitted fields keep their values.',
    body: z.object(textSnippetFields).partial(),
    responses: { 200: textSnippetSchema },
    errors: [404, 422],
    // An unknown snippet is 404, whatever the fields are.
    async beforeRefusing({ params, context }) {
      await textSnippets.getTextSnippet({ id: params.id }, { as: context });
      return undefined;
    },
    async handle({ params, body, context }) {
      const { snippet } = await textSnippets.updateTextSnippet({ id: params.id, ...body }, { as: context });
      return json(200, textSnippetJson(snippet!));
    },
  });

const deleteTextSnippet = ({ textSnippets }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    route: 'DELETE /text_snippets/:id',
    sdkMethod: 'textSnippets.delete',
    summary: 'Delete a text snippet',
    description: 'Sent texts are not changed.',
    responses: { 204: null },
    errors: [404],
    async handle({ params, context }) {
      await textSnippets.deleteTextSnippet({ id: params.id }, { as: context });
      return empty(204);
    },
  });

const INT32_MAX = 2 ** 31 - 1;

/** A snippet as partners see it. */
const textSnippetSchema = z
  .object({
    id: z.string(),
    title: z.string(),
    text: z.string(),
    position: z.int(),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'TextSnippet' });

const textSnippetFields = {
  title: z.string().overwrite(cleanLine).describe('1 to 128 characters, not blank'),
  text: z.string().overwrite(cleanText).describe('1 to 10,000 characters, not blank'),
  // The service refuses negative ones, together with all else that may be wrong.
  position: z.int().min(-INT32_MAX).max(INT32_MAX).meta({ minimum: 0 }),
};

function textSnippetJson(snippet: TextSnippet): z.output<typeof textSnippetSchema> {
  const { id, title, text, position, createdAt, updatedAt } = snippet;
  return {
    id,
    title,
    text,
    position,
    created_at: isoTimeOf(createdAt),
    updated_at: isoTimeOf(updatedAt),
  };
}
