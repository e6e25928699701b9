import { json, endpoint } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { Clients } from '../../peers/peers.ts';
import { webhookJson, webhookWithSecretSchema } from './webhook-json.ts';
import { boundedText, urlText } from '../shared/bounded-text.ts';

export const createWebhook = ({ subscriptions }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'admin',
    method: 'post',
    path: '/webhooks',
    tag: 'Webhooks',
    summary: 'Create a webhook',
    description:
      'The URL must be https and publicly reachable. The secret in the response signs every delivery (Standard Webhooks) and is not shown again.',
    body: z.object({
      name: boundedText(128),
      url: urlText,
      events: z.array(boundedText(128)).max(100),
      active: z.boolean().default(true),
    }),
    responses: { 201: webhookWithSecretSchema },
    errors: [422],
    async handle({ body, context }) {
      const { subscription, secret } = await subscriptions.createSubscription(body, { as: context });
      return json(201, { ...webhookJson(subscription), secret });
    },
  });
