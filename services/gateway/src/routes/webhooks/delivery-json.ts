import type { Attempt, Delivery } from '@parley/proto/webhooks/v1/deliveries_pb';
import { z } from 'zod';
import { isoTime } from './webhook-json.ts';

const statuses = ['pending', 'delivered', 'failed', 'held'] as const;

const attemptSchema = z.object({
  at: z.string(),
  status_code: z.int().nullable().describe('HTTP status of the response; null if there was none'),
  error: z.string().nullable(),
  duration_ms: z.int().nullable().describe('Null while the attempt is in progress'),
  response_excerpt: z.string().nullable().describe('Beginning of the response body'),
});

/** One event for one subscription, as partners see it. */
export const deliverySchema = z
  .object({
    id: z.string().describe('Sent as `webhook-id` with every attempt'),
    event: z.string(),
    status: z.enum(statuses),
    created_at: z.string(),
    next_attempt_at: z.string().nullable(),
    attempts: z.array(attemptSchema).describe('Oldest first'),
  })
  .meta({ id: 'WebhookDelivery' });

export function deliveryJson(delivery: Delivery | undefined): z.output<typeof deliverySchema> {
  if (!delivery) throw new Error('a response without its delivery');
  return {
    id: delivery.id,
    event: delivery.event,
    status: z.enum(statuses).parse(delivery.status),
    created_at: isoTime(delivery.createdAt),
    next_attempt_at: delivery.nextAttemptAt ? isoTime(delivery.nextAttemptAt) : null,
    attempts: delivery.attempts.map(attemptJson),
  };
}

function attemptJson(attempt: Attempt): z.output<typeof attemptSchema> {
  return {
    at: isoTime(attempt.at),
    status_code: attempt.statusCode ?? null,
    error: attempt.error ?? null,
    duration_ms: attempt.durationMs ?? null,
    response_excerpt: attempt.responseExcerpt ?? null,
  };
}
