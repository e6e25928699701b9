import { endpoint, streamArray } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { Clients } from '../../peers/peers.ts';
import { openList } from '../shared/long-list.ts';
import { textSnippetJson, textSnippetSchema } from './text-snippet-json.ts';
import { reads } from '../shared/tool-annotations.ts';

export const listTextSnippets = ({ textSnippets }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    method: 'get',
    path: '/text_snippets',
    tag: 'Text snippets',
    summary: 'List text snippets',
    description: 'By position, then by creation time. 404 while texting is off for the company.',
    responses: { 200: z.array(textSnippetSchema) },
    errors: [404],
    tools: [
      {
        name: 'list_text_snippets',
        title: 'List text snippets',
        description: 'Texts the company has prepared for reuse. Look here before writing a text.',
        annotations: reads,
        list: 'text_snippets',
        feature: 'texting',
      },
    ],
    async handle({ context, requestId }) {
      const chunks = await openList(
        { context, requestId },
        (options) => textSnippets.listTextSnippets({}, options),
        (response) => response.snippets,
      );
      return streamArray(chunks, textSnippetJson);
    },
  });
