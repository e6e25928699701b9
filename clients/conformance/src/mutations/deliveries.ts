import type { Answer, Mutation } from './mutation.ts';
import { changeBody, changeField, withoutField } from './ways.ts';

const RECEIVED = { at: 'sandbox', method: 'GET', path: '/hooks/:name' } as const;
const LOG = { method: 'GET', path: '/api/v1/webhooks/:id/deliveries' };
const FULL = { areas: ['deliveries'], profile: 'full' } as const;

type Values = Record<string, any>;

/** Changes every delivery that a receiver got. */
function changeReceived(change: (delivery: Values, index: number) => Values): (answer: Answer) => Answer {
  return (answer) => (Array.isArray(answer.body) ? { ...answer, body: answer.body.map(change) } : answer);
}

function changeHeader(name: string, change: (value: string, index: number) => string | undefined) {
  return changeReceived((delivery, index) => {
    const { [name]: value, ...headers } = delivery['headers'];
    const changed = value === undefined ? undefined : change(value, index);
    return { ...delivery, headers: { ...headers, ...(changed !== undefined && { [name]: changed }) } };
  });
}

export const deliveryMutations: readonly Mutation[] = [
  {
    id: 'deliveries-signed-over-other-bytes',
    sentence: 'Deliveries are signed over other bytes than those that are sent.',
    ...FULL,
    where: RECEIVED,
    answer: changeReceived((delivery) => ({ ...delivery, raw_body: `${delivery['raw_body']}\n` })),
  },
  {
    id: 'deliveries-signed-once-after-rotation',
    sentence: 'After a rotation one secret signs.',
    ...FULL,
    where: RECEIVED,
    answer: changeHeader('webhook-signature', (value) => value.split(' ')[0]),
  },
  {
    id: 'deliveries-another-id-per-attempt',
    sentence: 'Every attempt of a delivery has an id of its own.',
    ...FULL,
    where: RECEIVED,
    answer: changeHeader('webhook-id', (value, index) => `${value}${index}`),
  },
  {
    id: 'deliveries-signed-in-milliseconds',
    sentence: 'The time of a signature is in milliseconds.',
    ...FULL,
    where: RECEIVED,
    answer: changeHeader('webhook-timestamp', (value) => `${value}000`),
  },
  {
    id: 'deliveries-with-further-keys',
    sentence: 'The body of a delivery has a fourth key.',
    ...FULL,
    where: RECEIVED,
    answer: changeReceived((delivery) => ({ ...delivery, body: { id: 'evt_1', ...delivery['body'] } })),
  },
  {
    id: 'deliveries-of-nobody',
    sentence: 'The `User-Agent` of deliveries does not say which program sends webhooks.',
    ...FULL,
    where: RECEIVED,
    answer: changeHeader('user-agent', () => 'node'),
  },
  {
    id: 'deliveries-without-event-id',
    sentence: 'Deliveries do not say which event of the log they are.',
    ...FULL,
    where: RECEIVED,
    answer: changeHeader('parley-event-id', () => undefined),
  },
  {
    id: 'deliveries-under-the-new-name',
    sentence: 'A subscription under an older name gets the present name.',
    ...FULL,
    where: RECEIVED,
    answer: changeReceived((delivery) => ({
      ...delivery,
      body: {
        ...delivery['body'],
        event: delivery['body'].event.replace('call.outside_opening_hours', 'call.outside_business_hours'),
      },
    })),
  },
  {
    id: 'deliveries-logged-without-attempts',
    sentence: 'The log of deliveries has no attempts.',
    ...FULL,
    where: LOG,
    answer: withoutField('attempts'),
  },
  {
    id: 'deliveries-wait-ignored',
    sentence: '`Retry-After` of a receiver is not kept.',
    ...FULL,
    where: LOG,
    answer: changeField('next_attempt_at', (time: string | null, { attempts }) =>
      time === null ? null : new Date(Date.parse(attempts[0].at) + 5000).toISOString(),
    ),
  },
  {
    id: 'deliveries-redirects-accepted',
    sentence: 'A redirect counts as a delivery.',
    ...FULL,
    where: LOG,
    answer: changeField('status', (status: string, { attempts }) =>
      attempts.some((one: Values) => one['status_code'] === 307) ? 'delivered' : status,
    ),
  },
  {
    id: 'deliveries-held-ones-dropped',
    sentence: 'Events of a pause are not in the log.',
    ...FULL,
    where: LOG,
    answer: changeBody((body) => ({
      ...body,
      deliveries: body.deliveries.filter(({ status }: Values) => status !== 'held'),
    })),
  },
];
