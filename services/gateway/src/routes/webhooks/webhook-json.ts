import type { Subscription } from '@parley/proto/webhooks/v1/subscriptions_pb';
import { z } from 'zod';
import { isoTimeOf } from '@parley/public-json';

/** A webhook subscription as partners see it. */
export const webhookSchema = z
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
export const webhookWithSecretSchema = webhookSchema
  .extend({
    secret: z.string().describe('Secret that signs deliveries (Standard Webhooks). Shown only in this response'),
  })
  .meta({ id: 'WebhookWithSecret' });

export function webhookJson(subscription: Subscription): z.output<typeof webhookSchema> {
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
