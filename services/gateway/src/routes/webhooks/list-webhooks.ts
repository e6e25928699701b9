import { json, endpoint } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { Clients } from '../../peers/peers.ts';
import { webhookJson, webhookSchema } from './webhook-json.ts';

export const listWebhooks = ({ subscriptions }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'admin',
    method: 'get',
    path: '/webhooks',
    tag: 'Webhooks',
    summary: 'List webhooks',
    description: 'Oldest first.',
    responses: { 200: z.array(webhookSchema) },
    async handle({ context }) {
      const { subscriptions: all } = await subscriptions.listSubscriptions({}, { as: context });
      return json(200, all.map(webhookJson));
    },
  });
