import type { Mutation } from './mutation.ts';
import { acceptedInstead, changeSent, withHeader } from './ways.ts';

const SEND = { method: 'POST', path: '/api/v1/business_numbers/:id/messages' };
const FULL = { areas: ['limits'], profile: 'full' } as const;

export const limitMutations: readonly Mutation[] = [
  {
    id: 'limits-keys-unlimited',
    sentence: 'An employee may have any number of API keys.',
    ...FULL,
    where: { at: 'operator', method: 'POST', path: '/operator/v1/employees/:id/api_keys' },
    answer: acceptedInstead(422, 201, ({ body }) => ({ id: 'key_0', api_key: 'pk_0', ...(body as object) })),
  },
  {
    id: 'limits-webhooks-unlimited',
    sentence: 'A company may have any number of webhooks.',
    ...FULL,
    where: { method: 'POST', path: '/api/v1/webhooks' },
    answer: acceptedInstead(422, 201, ({ body }) => ({ id: 'whk_0', ...(body as object) })),
  },
  {
    id: 'limits-other-retry-after',
    sentence: 'Who texts too often is told to wait for 30 seconds.',
    ...FULL,
    where: SEND,
    answer: (answer, exchange) => (answer.status === 429 ? withHeader('retry-after', '30')(answer, exchange) : answer),
  },
  {
    id: 'limits-texts-unlimited',
    sentence: 'A business number sends any number of texts.',
    ...FULL,
    where: SEND,
    answer: acceptedInstead(429, 201, ({ body }) => ({ id: 'msg_0', ...(body as object) })),
  },
  {
    id: 'limits-long-key-cut',
    sentence: 'An idempotency key that is too long is cut.',
    ...FULL,
    where: SEND,
    request: changeSent('idempotency_key', (key) => (typeof key === 'string' ? key.slice(0, 128) : key)),
  },
  {
    id: 'limits-any-timeout',
    sentence: 'A no-answer timeout of 45 seconds is accepted.',
    ...FULL,
    where: { method: 'PUT', path: '/api/v1/business_numbers/:id/no_answer_config' },
    request: changeSent('timeout_secs', (timeout) => (timeout === 45 ? 60 : timeout)),
  },
  {
    id: 'limits-long-search',
    sentence: 'A search of the inbox may be of any length.',
    areas: ['limits'],
    profile: 'api',
    where: { method: 'GET', path: '/api/v1/inbox' },
    answer: acceptedInstead(422, 200, () => ({ threads: [], next_cursor: null })),
  },
];
