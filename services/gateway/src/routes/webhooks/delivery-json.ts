import type { Attempt, Delivery } from '@parley/proto/webhooks/v1/deliveries_pb';
import { isoTime, isoTimeOf } from '@parley/public-json';
import { z } from 'zod';

const deliveryStatuses = ['pending', 'delivered', 'failed', 'held'] as const;

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
    event_id: z.string().nullable().describe('The event in the log, sent as `Parley-Event-Id`; null for a test'),
    status: z.enum(deliveryStatuses),
    created_at: z.string(),
    next_attempt_at: z.string().nullable(),
    attempts: z.array(attemptSchema).describe('Oldest first'),
  })
  .meta({ id: 'WebhookDelivery' });

export function deliveryJson(delivery: Delivery): z.output<typeof deliverySchema> {
  return {
    id: delivery.id,
    event: delivery.event,
    event_id: delivery.eventId ?? null,
    status: z.enum(deliveryStatuses).parse(delivery.status),
    created_at: isoTimeOf(delivery.createdAt),
    next_attempt_at: isoTime(delivery.nextAttemptAt),
    attempts: delivery.attempts.map(attemptJson),
  };
}

function attemptJson(attempt: Attempt): z.output<typeof attemptSchema> {
  return {
    at: isoTimeOf(attempt.at),
    status_code: attempt.statusCode ?? null,
    error: attempt.error ?? null,
    duration_ms: attempt.durationMs ?? null,
    response_excerpt: attempt.responseExcerpt ?? null,
  };
}
