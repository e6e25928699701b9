import { json, endpoint } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import type { Clients } from '../../peers/peers.ts';
import { textSnippetJson, textSnippetSchema } from './text-snippet-json.ts';

export const getTextSnippet = ({ textSnippets }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    method: 'get',
    path: '/text_snippets/:id',
    tag: 'Text snippets',
    summary: 'Read a text snippet',
    responses: { 200: textSnippetSchema },
    errors: [404],
    async handle({ params, context }) {
      const { snippet } = await textSnippets.getTextSnippet({ id: params.id }, { as: context });
      return json(200, textSnippetJson(snippet));
    },
  });
