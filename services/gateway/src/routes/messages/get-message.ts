import { json, endpoint } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import type { Clients } from '../../peers.ts';
import { messageJson, messageSchema } from './message-json.ts';

export const getMessage = ({ messages }: Clients) =>
  endpoint<EmployeePrincipal>()({
    method: 'get',
    path: '/messages/:id',
    tag: 'Messages',
    summary: 'Read a text',
    description: '404 while texting is off for the company.',
    responses: { 200: messageSchema },
    errors: [404],
    async handle({ params, context }) {
      const { message } = await messages.getMessage({ id: params.id }, { as: context });
      return json(200, messageJson(message));
    },
  });
