import { empty, endpoint } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import type { Clients } from '../../peers/peers.ts';

export const deleteTextSnippet = ({ textSnippets }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    method: 'delete',
    path: '/text_snippets/:id',
    tag: 'Text snippets',
    summary: 'Delete a text snippet',
    description: 'Sent texts are not changed.',
    responses: { 204: null },
    errors: [404],
    async handle({ params, context }) {
      await textSnippets.deleteTextSnippet({ id: params.id }, { as: context });
      return empty(204);
    },
  });
