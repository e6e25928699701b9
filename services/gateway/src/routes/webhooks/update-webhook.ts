import { json, endpoint } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { Clients } from '../../peers/peers.ts';
import { webhookJson, webhookSchema } from './webhook-json.ts';
import { boundedText, urlText } from '../shared/bounded-text.ts';

export const updateWebhook = ({ subscriptions }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'admin',
    method: 'patch',
    path: '/webhooks/:id',
    tag: 'Webhooks',
    summary: 'Update a webhook',
    description:
      'Omitted fields keep their values; `events` replaces the list. While `active` is false, events are kept in the delivery log with status `held`.',
    body: z.object({
      name: boundedText(128).optional(),
      url: urlText.optional(),
      events: z.array(boundedText(128)).max(100).optional(),
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
