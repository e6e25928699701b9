import { json, endpoint } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { Clients } from '../../peers/peers.ts';
import { textSnippetFields, textSnippetJson, textSnippetSchema } from './text-snippet-json.ts';

export const updateTextSnippet = ({ textSnippets }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    method: 'patch',
    path: '/text_snippets/:id',
    tag: 'Text snippets',
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
      return json(200, textSnippetJson(snippet));
    },
  });
