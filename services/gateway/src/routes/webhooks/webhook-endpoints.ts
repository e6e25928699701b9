import { boundedArray, empty, endpoint, json } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { Clients } from '../../peers/peers.ts';
import { boundedText, lineText, urlText } from '../shared/bounded-text.ts';
import { isoTimeSchema, timestampOf } from '../shared/iso-time.ts';
import { deliveryJson, deliverySchema } from './delivery-json.ts';
import { isoTimeOf } from '@parley/public-json';
import type { Subscription } from '@parley/proto/webhooks/v1/subscriptions_pb';

export const webhookEndpoints = (clients: Clients) => [
  listWebhooks(clients),
  createWebhook(clients),
  getWebhook(clients),
  updateWebhook(clients),
  deleteWebhook(clients),
  rotateWebhookSecret(clients),
  listDeliveries(clients),
  retryDelivery(clients),
  retryDeliveries(clients),
  sendTestEvent(clients),
];

/** A webhook subscription as partners see it. */
const webhookSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    url: z.string(),
    events: z.array(z.string()).describe('Event types, by the names used in the subscription'),
    active: z.boolean().describe('False while delivery is paused'),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'Webhook' });

/** A subscription in the two responses that show its secret. */
const webhookWithSecretSchema = webhookSchema
  .extend({
    secret: z.string().describe('Secret that signs deliveries (Standard Webhooks). Shown only in this response'),
  })
  .meta({ id: 'WebhookWithSecret' });

function webhookJson(subscription: Subscription): z.output<typeof webhookSchema> {
  return {
    id: subscription.id,
    name: subscription.name,
    url: subscription.url,
    events: subscription.events,
    active: subscription.active,
    created_at: isoTimeOf(subscription.createdAt),
    updated_at: isoTimeOf(subscription.updatedAt),
  };
}

const listWebhooks = ({ subscriptions }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'admin',
    route: 'GET /webhooks',
    sdkMethod: 'webhooks.list',
    summary: 'List webhooks',
    description: 'Every subscription of the company without its secret, oldest first.',
    responses: { 200: z.array(webhookSchema) },
    async handle({ context }) {
      const { subscriptions: all } = await subscriptions.listSubscriptions({}, { as: context });
      return json(200, all.map(webhookJson));
    },
  });

const createWebhook = ({ subscriptions }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'admin',
    route: 'POST /webhooks',
    sdkMethod: 'webhooks.create',
    summary: 'Create a webhook',
    description:
      'The URL must be https and publicly reachable. The secret in the response signs every delivery (Standard Webhooks) and is not shown again.',
    body: z.object({
      name: lineText(128),
      url: urlText,
      events: z.array(boundedText(128)).max(100),
      active: z.boolean().default(true),
    }),
    responses: { 201: webhookWithSecretSchema },
    errors: [422],
    async handle({ body, context }) {
      const { subscription, secret } = await subscriptions.createSubscription(body, { as: context });
      return json(201, { ...webhookJson(subscription!), secret });
    },
  });

const getWebhook = ({ subscriptions }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'admin',
    route: 'GET /webhooks/:id',
    sdkMethod: 'webhooks.get',
    summary: 'Read a webhook',
    description: 'A subscription without its secret, which is shown only when it is created or rotated.',
    responses: { 200: webhookSchema },
    errors: [404],
    async handle({ params, context }) {
      const { subscription } = await subscriptions.getSubscription({ id: params.id }, { as: context });
      return json(200, webhookJson(subscription!));
    },
  });

const updateWebhook = ({ subscriptions }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'admin',
    route: 'PATCH /webhooks/:id',
    sdkMethod: 'webhooks.update',
    summary: 'Update a webhook',
    description:
      'Omitted fields keep their values; `events` replaces the list. While `active` is false, events are kept in the delivery log with status `held`.',
    body: z.object({
      name: lineText(128).optional(),
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
      return json(200, webhookJson(subscription!));
    },
  });

const deleteWebhook = ({ subscriptions }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'admin',
    route: 'DELETE /webhooks/:id',
    sdkMethod: 'webhooks.delete',
    summary: 'Delete a webhook',
    description:
      'Nothing is sent after the response; scheduled attempts are cancelled and the delivery log is deleted.',
    responses: { 204: null },
    errors: [404],
    async handle({ params, context }) {
      await subscriptions.deleteSubscription({ id: params.id }, { as: context });
      return empty(204);
    },
  });

const rotateWebhookSecret = ({ subscriptions }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'admin',
    route: 'POST /webhooks/:id/rotate_secret',
    sdkMethod: 'webhooks.rotateSecret',
    summary: 'Rotate a webhook’s secret',
    operationId: 'rotateWebhookSecret',
    description:
      'Deliveries are signed with the new secret immediately. For 24 hours they are signed with the previous secret as well.',
    responses: { 200: webhookWithSecretSchema },
    errors: [404],
    async handle({ params, context }) {
      const { subscription, secret } = await subscriptions.rotateSubscriptionSecret({ id: params.id }, { as: context });
      return json(200, { ...webhookJson(subscription!), secret });
    },
  });

const listDeliveries = ({ deliveries }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'admin',
    route: 'GET /webhooks/:id/deliveries',
    sdkMethod: 'webhooks.deliveries.list',
    summary: 'List a webhook’s deliveries',
    operationId: 'listWebhookDeliveries',
    description: 'Newest first. Deliveries are kept for 30 days.',
    query: z.object({
      cursor: boundedText(512).optional(),
      limit: z.coerce.number().default(50).describe('Clamped to 1-100'),
    }),
    responses: { 200: z.object({ deliveries: z.array(deliverySchema), next_cursor: z.string().nullable() }) },
    errors: [404, 422],
    async handle({ params, query, context }) {
      const page = await deliveries.listDeliveries(
        {
          subscriptionId: params.id,
          cursor: query.cursor ?? '',
          limit: Math.min(Math.max(Math.trunc(query.limit), 1), 100),
        },
        { as: context },
      );
      return json(200, { deliveries: page.deliveries.map(deliveryJson), next_cursor: page.nextCursor || null });
    },
  });

const retryDelivery = ({ deliveries }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'admin',
    route: 'POST /webhooks/:id/deliveries/:delivery_id/retry',
    sdkMethod: 'webhooks.deliveries.retry',
    summary: 'Retry a delivery',
    operationId: 'retryWebhookDelivery',
    description: 'Starts a new series of attempts, whatever the status of the delivery.',
    responses: { 202: deliverySchema },
    errors: [404],
    async handle({ params, context }) {
      const { delivery } = await deliveries.retryDelivery(
        { subscriptionId: params.id, deliveryId: params.delivery_id },
        { as: context },
      );
      return json(202, deliveryJson(delivery!));
    },
  });

const retryDeliveries = ({ deliveries }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'admin',
    route: 'POST /webhooks/:id/deliveries/retry',
    sdkMethod: 'webhooks.deliveries.retryAll',
    summary: 'Retry a webhook’s failed deliveries',
    operationId: 'retryWebhookDeliveries',
    description:
      'Starts a new series of attempts for every delivery with one of the statuses whose event happened at `since` or later, in their order; at most 10,000. Repeat the request while `count` is 10,000.',
    body: z.object({
      since: isoTimeSchema,
      statuses: boundedArray(z.enum(['failed', 'held']), 2, 1).default(['failed']),
    }),
    responses: { 202: z.object({ count: z.int() }) },
    errors: [404, 422],
    async handle({ params, body, context }) {
      const request = {
        subscriptionId: params.id,
        since: timestampOf(body.since),
        statuses: [...new Set(body.statuses)],
      };
      const { count } = await deliveries.retryDeliveries(request, { as: context });
      return json(202, { count });
    },
  });

const sendTestEvent = ({ deliveries }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'admin',
    route: 'POST /webhooks/:id/test',
    sdkMethod: 'webhooks.test',
    summary: 'Send a test event',
    operationId: 'sendWebhookTestEvent',
    description: 'Sends a `webhook.test` event, even while the webhook is paused.',
    responses: { 202: deliverySchema },
    errors: [404],
    async handle({ params, context }) {
      const { delivery } = await deliveries.sendTestEvent({ subscriptionId: params.id }, { as: context });
      return json(202, deliveryJson(delivery!));
    },
  });
