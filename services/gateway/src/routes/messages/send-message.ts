import { Refused, refusal } from '@parley/errors';
import { json, endpoint } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { Clients } from '../../peers/peers.ts';
import { idempotencyKeyBody, idempotencyKeyHeaders, idempotencyKeyOf } from './idempotency-key.ts';
import { messageJson, messageSchema } from './message-json.ts';
import { reachingCustomers, sets } from '../shared/tool-annotations.ts';

/** Longer than the service waits for the provider, so that its own answer gets through. */
export const SEND_TIME_MAX_MS = 27_000;
export const TIME_LIMIT_MS = 30_000;

export const sendMessage = ({ messages }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    method: 'post',
    path: '/business_numbers/:id/messages',
    tag: 'Messages',
    summary: 'Send a text',
    description:
      'A real, chargeable SMS. Use a new idempotency key for each text and the same one to repeat a request: the repeated request sends nothing; its response is 200 with `Idempotent-Replayed: true`. At most 30 a minute per business number, retries included. Errors after the text was stored contain its id in `message_id`. 404 while texting is off for the company.',
    headers: idempotencyKeyHeaders,
    body: z.object({
      to: z.string().describe('E.164, or a national number of the company’s country'),
      text: z.string().describe('1 to 10,000 characters'),
      format: z.unknown().optional().meta({ type: 'string', description: 'Only `sms`, which is the default' }),
      idempotency_key: idempotencyKeyBody,
    }),
    responses: { 200: messageSchema, 201: messageSchema },
    errors: {
      403: 'forbidden',
      404: 'not_found',
      409: 'invalid_idempotency_key, idempotency_key_conflict',
      422: 'unsupported_format, sending_unavailable, recipient_opted_out, provider_rejected',
      429: 'rate_limited',
      502: 'provider_unavailable',
    },
    timeLimitMs: TIME_LIMIT_MS,
    // While texting is off the response is 404 without validation; a format that is not supported may have other
    // fields.
    tools: [
      {
        name: 'send_text',
        title: 'Send a text',
        description:
          'Sends a real, chargeable SMS to a customer. Repeat a call with the same `idempotency_key` and nothing is sent twice; use a new key for each text.',
        annotations: reachingCustomers(sets),
        rename: { id: 'business_number_id' },
        omit: ['format'],
        describe: { idempotency_key: z.string().min(1).max(128) },
        feature: 'texting',
      },
    ],
    async beforeRefusing({ params, context, rejectedBody }) {
      await messages.checkTexting({ businessNumberId: params.id }, { as: context });
      const format = formatOf((rejectedBody as { format?: unknown } | null | undefined)?.format);
      if (format !== 'sms') throw new Refused(refusal('unsupported_format', 'unsupported_format'));
      return undefined;
    },
    async handle({ params, headers, body, context }) {
      const { message, replayed } = await messages.sendMessage(
        {
          businessNumberId: params.id,
          to: body.to,
          text: body.text,
          format: formatOf(body.format),
          idempotencyKey: idempotencyKeyOf(headers['idempotency-key'], body.idempotency_key),
        },
        { as: context, timeoutMs: SEND_TIME_MAX_MS },
      );
      if (replayed) return json(200, messageJson(message), { 'Idempotent-Replayed': 'true' });
      return json(201, messageJson(message));
    },
  });

/** Any value except `sms` is another format. */
function formatOf(given: unknown): string {
  if (given === undefined || given === null) return 'sms';
  return typeof given === 'string' ? given : '';
}
