import type { Mutation } from './mutation.ts';
import { changeBody, changeField, changeSent, seenInstead, statusInstead, withHeader } from './ways.ts';

const SEND = { method: 'POST', path: '/api/v1/business_numbers/:id/messages' };
const GET = { method: 'GET', path: '/api/v1/messages/:id' };
const RETRY = { method: 'POST', path: '/api/v1/messages/:id/retries' };
const SENT = { at: 'sandbox', method: 'GET', path: '/messages' } as const;
const MESSAGES = { areas: ['messages'], profile: 'full' } as const;

export const messageMutations: readonly Mutation[] = [
  {
    id: 'messages-replay-not-marked',
    sentence: 'The answer to a repeated key is not marked.',
    ...MESSAGES,
    where: SEND,
    answer: withHeader('idempotent-replayed', undefined),
  },
  {
    id: 'messages-replay-with-201',
    sentence: 'A repeated key is answered with 201.',
    ...MESSAGES,
    where: SEND,
    answer: statusInstead(200, 201),
  },
  {
    id: 'messages-key-not-needed',
    sentence: 'A text without a key is sent.',
    ...MESSAGES,
    where: SEND,
    request: (request) => {
      const body = request.body as { idempotency_key?: string };
      const hasKey = 'idempotency_key' in body || request.headers['idempotency-key'] !== undefined;
      return hasKey ? request : { ...request, body: { ...body, idempotency_key: `${Math.floor(performance.now())}` } };
    },
  },
  {
    id: 'messages-mms-sent-as-sms',
    sentence: 'A text in another format is sent as an SMS.',
    ...MESSAGES,
    where: SEND,
    request: changeSent('format', () => 'sms'),
  },
  {
    id: 'messages-created-with-milliseconds',
    sentence: 'The time of a message has milliseconds only.',
    ...MESSAGES,
    where: GET,
    answer: changeField('created_at', (time: string) => time.replace(/\d{3}Z$/, 'Z')),
  },
  {
    id: 'messages-retry-after-a-second',
    sentence: 'Who sends too much is told to wait for a second.',
    ...MESSAGES,
    where: SEND,
    answer: (answer) =>
      answer.status === 429 ? { ...answer, headers: { ...answer.headers, 'retry-after': '1' } } : answer,
  },
  {
    id: 'messages-retried-as-whole-message',
    sentence: 'A retry is answered with the whole message.',
    ...MESSAGES,
    where: RETRY,
    answer: changeBody((body) => ({ ...body, text: 'Your order is ready.', direction: 'outbound' })),
  },
  {
    id: 'messages-sent-twice',
    sentence: 'Each text is submitted to the provider twice.',
    ...MESSAGES,
    where: SENT,
    answer: changeBody((texts) => texts.flatMap((text: object) => [text, text])),
  },
  {
    id: 'messages-failure-of-provider-shown',
    sentence: 'The failure code is that of the provider, without its name.',
    ...MESSAGES,
    where: GET,
    answer: changeField('failure_code', (code) => code?.replace('telnyx_', '') ?? code),
  },
  {
    id: 'messages-foreign-shown',
    sentence: "Another company's message is shown.",
    ...MESSAGES,
    where: GET,
    answer: seenInstead(404, 200, ({ request }) => `GET ${request.path}`),
  },
];
