import { json, endpoint } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { Clients } from '../../peers/peers.ts';
import { textSnippetFields, textSnippetJson, textSnippetSchema } from './text-snippet-json.ts';

export const createTextSnippet = ({ textSnippets, messages }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    method: 'post',
    path: '/text_snippets',
    tag: 'Text snippets',
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
      return json(201, textSnippetJson(snippet));
    },
  });
