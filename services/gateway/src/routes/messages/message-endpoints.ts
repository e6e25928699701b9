import { refusal, Refused } from '@parley/errors';
import { endpoint, json } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import { z } from 'zod';
import { messageJson, messageSchema, retriedMessageJson, retriedMessageSchema } from '@parley/public-json';
import { idempotencyKeyBody, idempotencyKeyHeaders, idempotencyKeyOf } from './idempotency-key.ts';
import type { Clients } from '../../peers/peers.ts';
import { numberFilter } from '../inbox/inbox-filters.ts';
import { pageCursor, pageLimit } from '../shared/page-query.ts';
import { reachingCustomers, sets } from '../shared/tool-annotations.ts';
import { cleanText } from '../shared/bounded-text.ts';

export const messageEndpoints = (clients: Clients) => [
  sendMessage(clients),
  searchMessages(clients),
  getMessage(clients),
  retryMessage(clients),
];

/** Longer than the service waits for the provider, so that its own answer gets through. */
const SEND_TIME_MAX_MS = 27_000;
const TIME_LIMIT_MS = 30_000;

const sendMessage = ({ messages }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    route: 'POST /business_numbers/:id/messages',
    sdkMethod: 'messages.send',
    summary: 'Send a text',
    description:
      'A real, chargeable SMS. Use a new idempotency key for each text and the same one to repeat a request: the repeated request sends nothing; its response is 200 with `Idempotent-Replayed: true`. At most 30 a minute per business number, retries included. Errors after the text was stored contain its id in `message_id`. 404 while texting is off for the company.',
    headers: idempotencyKeyHeaders,
    body: z.object({
      to: z.string().describe('E.164, or a national number of the company’s country'),
      text: z.string().overwrite(cleanText).describe('1 to 10,000 characters'),
      format: z.unknown().optional().meta({ type: 'string', description: 'Only `sms`, which is the default' }),
      idempotency_key: idempotencyKeyBody,
    }),
    responses: { 200: messageSchema, 201: messageSchema },
    errors: {
      403: 'forbidden, destination_not_allowed',
      404: 'not_found',
      409: 'invalid_idempotency_key, idempotency_key_conflict',
      422: 'unsupported_format, sending_unavailable, recipient_opted_out, provider_rejected',
      429: 'rate_limited',
      502: 'provider_unavailable',
    },
    timeLimitMs: TIME_LIMIT_MS,
    // While texting is off the response is 404 without validation; a format that is not supported may have other
    // fields.
    tools: {
      send_text: {
        description:
          'Sends a real, chargeable SMS to a customer. Repeat a call with the same `idempotency_key` and nothing is sent twice; use a new key for each text.',
        annotations: reachingCustomers(sets),
        rename: { id: 'business_number_id' },
        omit: ['format'],
        describe: { idempotency_key: z.string().min(1).max(128) },
        feature: 'texting',
      },
    },
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

const foundMessageSchema = messageSchema
  .extend({
    highlights: z
      .array(z.object({ start: z.int(), end: z.int() }))
      .describe('Where `text` has words of the query, in UTF-16 units, `end` exclusive; at most 100'),
  })
  .meta({ id: 'FoundMessage' });

const searchMessages = ({ messageSearch }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    route: 'GET /messages',
    sdkMethod: 'messages.search',
    summary: 'Search texts',
    description:
      'Texts that have every word of the query, newest first. Whole words, whatever their case and accents. A page may have fewer texts than `limit`, also none, while there is a `next_cursor`. 404 while texting is off for the company.',
    query: z.object({
      query: z.string().max(512).describe('At least one word; the first eight count'),
      business_number_id: numberFilter,
      phone_number: z.string().max(200).optional().describe('Only texts with this external number'),
      limit: pageLimit,
      cursor: pageCursor,
    }),
    responses: { 200: z.object({ messages: z.array(foundMessageSchema), next_cursor: z.string().nullable() }) },
    errors: [404, 422],
    tools: {
      search_texts: {
        description: 'Texts with all words of `query`, newest first. Whole words only.',
        omit: ['business_number_id'],
        rename: { phone_number: 'phone' },
        feature: 'texting',
        list: 'messages',
      },
    },
    async handle({ query, context }) {
      const { messages, nextCursor } = await messageSearch.searchMessages(
        {
          query: query.query,
          businessNumberId: query.business_number_id,
          phoneNumber: query.phone_number || undefined,
          limit: query.limit,
          cursor: query.cursor,
        },
        { as: context },
      );
      return json(200, {
        messages: messages.map(({ message, highlights }) => ({
          ...messageJson(message),
          highlights: highlights.map(({ start, end }) => ({ start, end })),
        })),
        next_cursor: nextCursor ?? null,
      });
    },
  });

const getMessage = ({ messages }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    route: 'GET /messages/:id',
    sdkMethod: 'messages.get',
    summary: 'Read a text',
    description: '404 while texting is off for the company.',
    responses: { 200: messageSchema },
    errors: [404],
    tools: {
      get_text: {
        title: 'Get a text',
        description: 'One text message and its delivery status. Use it after send_text.',
        feature: 'texting',
      },
    },
    async handle({ params, context }) {
      const { message } = await messages.getMessage({ id: params.id }, { as: context });
      return json(200, messageJson(message));
    },
  });

const retryMessage = ({ messages }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    route: 'POST /messages/:message_id/retries',
    sdkMethod: 'messages.retry',
    summary: 'Retry a text',
    description:
      'Sends a failed text again: a real, chargeable SMS with the same id. A new idempotency key is a new retry; a repeated key sends nothing.',
    headers: idempotencyKeyHeaders,
    body: z.object({ idempotency_key: idempotencyKeyBody }),
    responses: { 200: retriedMessageSchema },
    errors: {
      403: 'forbidden, destination_not_allowed',
      404: 'not_found',
      409: 'invalid_idempotency_key, idempotency_key_conflict, not_retryable',
      422: 'sending_unavailable, recipient_opted_out, provider_rejected',
      429: 'rate_limited',
      502: 'provider_unavailable',
    },
    timeLimitMs: TIME_LIMIT_MS,
    tools: {
      retry_text: {
        description: 'Sends a text that failed once more, chargeable again. Only when get_text returns `can_retry`.',
        annotations: reachingCustomers(sets),
        rename: { message_id: 'id' },
        describe: { idempotency_key: z.string().min(1).max(128) },
        feature: 'texting',
      },
    },
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
