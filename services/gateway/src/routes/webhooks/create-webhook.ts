import { json, endpoint } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { Clients } from '../../peers.ts';
import { webhookJson, webhookWithSecretSchema } from './webhook-json.ts';

export const createWebhook = ({ subscriptions }: Clients) =>
  endpoint<EmployeePrincipal>()({
    method: 'post',
    path: '/webhooks',
    tag: 'Webhooks',
    summary: 'Create a webhook',
    description:
      'The address must be https and public. The secret in the answer signs every delivery (Standard Webhooks) and is shown only now.',
    body: z.object({
      name: z.string(),
      url: z.string(),
      events: z.array(z.string()),
      active: z.boolean().default(true),
    }),
    responses: { 201: webhookWithSecretSchema },
    errors: [422],
    async handle({ body, context }) {
      const { subscription, secret } = await subscriptions.createSubscription(body, { as: context });
      return json(201, { ...webhookJson(subscription), secret });
    },
  });
