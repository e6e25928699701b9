import { json, endpoint } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { Clients } from '../../peers.ts';
import { webhookJson, webhookSchema } from './webhook-json.ts';

export const updateWebhook = ({ subscriptions }: Clients) =>
  endpoint<EmployeePrincipal>()({
    method: 'patch',
    path: '/webhooks/:id',
    tag: 'Webhooks',
    summary: 'Update a webhook',
    description:
      'Fields left out stay as they are; `events` replaces the list. While `active` is false events are only kept in the log, as `held`.',
    body: z.object({
      name: z.string().optional(),
      url: z.string().optional(),
      events: z.array(z.string()).optional(),
      active: z.boolean().optional(),
    }),
    responses: { 200: webhookSchema },
    errors: [404, 422],
    async handle({ params, body, context }) {
      const { name, url, events, active } = body;
      const { subscription } = await subscriptions.updateSubscription(
        { id: params.id, name, url, events: events && { events }, active },
        { as: context },
      );
      return json(200, webhookJson(subscription));
    },
  });
