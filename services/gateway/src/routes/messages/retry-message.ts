import { json, endpoint } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { Clients } from '../../peers/peers.ts';
import { idempotencyKeyBody, idempotencyKeyHeaders, idempotencyKeyOf } from './idempotency-key.ts';
import { retriedMessageJson, retriedMessageSchema } from './message-json.ts';
import { SEND_TIME_MAX_MS, TIME_LIMIT_MS } from './send-message.ts';
import { reachingCustomers, sets } from '../shared/tool-annotations.ts';

export const retryMessage = ({ messages }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    method: 'post',
    path: '/messages/:message_id/retries',
    tag: 'Messages',
    summary: 'Retry a text',
    description:
      'Sends a failed text again: a real, chargeable SMS with the same id. A new idempotency key is a new retry; a repeated key sends nothing.',
    headers: idempotencyKeyHeaders,
    body: z.object({ idempotency_key: idempotencyKeyBody }),
    responses: { 200: retriedMessageSchema },
    errors: {
      404: 'not_found',
      409: 'invalid_idempotency_key, idempotency_key_conflict, not_retryable',
      422: 'sending_unavailable, recipient_opted_out, provider_rejected',
      429: 'rate_limited',
      502: 'provider_unavailable',
    },
    timeLimitMs: TIME_LIMIT_MS,
    tools: [
      {
        name: 'retry_text',
        title: 'Retry a text',
        description: 'Sends a text that failed once more, chargeable again. Only when get_text returns `can_retry`.',
        annotations: reachingCustomers(sets),
        rename: { message_id: 'id' },
        describe: { idempotency_key: z.string().min(1).max(128) },
        feature: 'texting',
      },
    ],
    async beforeRefusing({ context }) {
      await messages.checkTexting({}, { as: context });
      return undefined;
    },
    async handle({ params, headers, body, context }) {
      const { message, replayed } = await messages.retryMessage(
        {
          id: params.message_id,
          idempotencyKey: idempotencyKeyOf(headers['idempotency-key'], body.idempotency_key),
        },
        { as: context, timeoutMs: SEND_TIME_MAX_MS },
      );
      return json(200, retriedMessageJson(message), replayed ? { 'Idempotent-Replayed': 'true' } : undefined);
    },
  });
