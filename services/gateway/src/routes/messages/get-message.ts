import { json, endpoint } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import type { Clients } from '../../peers/peers.ts';
import { messageJson, messageSchema } from './message-json.ts';
import { reads } from '../shared/tool-annotations.ts';

export const getMessage = ({ messages }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    method: 'get',
    path: '/messages/:id',
    tag: 'Messages',
    summary: 'Read a text',
    description: '404 while texting is off for the company.',
    responses: { 200: messageSchema },
    errors: [404],
    tools: [
      {
        name: 'get_text',
        title: 'Get a text',
        description: 'One text message and its delivery status. Use it after send_text.',
        annotations: reads,
        feature: 'texting',
      },
    ],
    async handle({ params, context }) {
      const { message } = await messages.getMessage({ id: params.id }, { as: context });
      return json(200, messageJson(message));
    },
  });
