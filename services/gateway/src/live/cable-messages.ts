import { recordedEventSchema } from '@parley/public-json';
import { z } from 'zod';

/** A message of the live channel, for its description. */
export interface CableMessage {
  readonly name: string;
  readonly description: string;
  readonly schema: z.ZodType;
}

const phoneNumber = z.string().describe('E.164');
const cursor = z.string().describe('Where to go on: `after` of a later subscription, or of `GET /api/v1/events`');
const identifier = z.string().describe('The identifier of the subscription, as the client sent it');

/** Of the connection, whatever it is subscribed to. */
export const connectionMessages: readonly CableMessage[] = [
  {
    name: 'welcome',
    description: 'The connection is authenticated; the first message.',
    schema: z.object({ type: z.literal('welcome') }),
  },
  {
    name: 'ping',
    description: 'Every 3 seconds. Without one for longer than that the connection is lost.',
    schema: z.object({ type: z.literal('ping'), message: z.int().describe('Seconds since 1970') }),
  },
  {
    name: 'confirm_subscription',
    description: 'The subscription is made; nothing that happens from now on is missed.',
    schema: z.object({ identifier, type: z.literal('confirm_subscription') }),
  },
  {
    name: 'reject_subscription',
    description: 'There is no such channel, or this employee may not subscribe to it.',
    schema: z.object({ identifier, type: z.literal('reject_subscription') }),
  },
  {
    name: 'disconnect',
    description: 'The connection ends after this message.',
    schema: z.object({
      type: z.literal('disconnect'),
      reason: z
        .string()
        .describe('Such as `unauthorized`, `invalid_request`, `server_restart` or `too_many_connections`'),
      reconnect: z.boolean().describe('Whether the client should reconnect by itself'),
    }),
  },
];

/** What clients send. */
export const cableCommands: readonly CableMessage[] = ['subscribe', 'unsubscribe'].map((command) => ({
  name: command,
  description: command === 'subscribe' ? 'Begins a subscription.' : 'Ends a subscription.',
  schema: z.object({
    command: z.literal(command),
    identifier: z
      .string()
      .describe(
        'JSON as text: `{"channel":"CallsChannel"}`, `{"channel":"TeamChannel"}` or, with optional `after` and `types`, `{"channel":"EventsChannel"}`',
      ),
  }),
}));

/** `CallsChannel`: what to read again about calls and texts. */
export const callsMessages: readonly CableMessage[] = [
  {
    name: 'sms_update',
    description: 'A text came in or its status changed: read it, or the activity with its number, again.',
    schema: z.object({ type: z.literal('sms_update'), id: z.string(), phone_number: phoneNumber }),
  },
  {
    name: 'thread_update',
    description: 'A thread was assigned, marked or commented on: read it again.',
    schema: z.object({ type: z.literal('thread_update'), phone_number: phoneNumber }),
  },
  {
    name: 'unseen_update',
    description: 'The unseen activity changed: read the inbox and its counts again.',
    schema: z.object({ type: z.literal('unseen_update') }),
  },
  {
    name: 'live_report_update',
    description: 'The live report changed, at most once a second: read it again.',
    schema: z.object({ type: z.literal('live_report_update') }),
  },
  {
    name: 'assistant_update',
    description: 'The conversation of a call with an assistant went on, at most twice a second: read it again.',
    schema: z.object({ type: z.literal('assistant_update'), call_id: z.string() }),
  },
];

/** `TeamChannel`: what to read again about employees and contacts. */
export const teamMessages: readonly CableMessage[] = [
  {
    name: 'employees_update',
    description: 'An employee or a status changed: read the employees again.',
    schema: z.object({ type: z.literal('employees_update') }),
  },
  {
    name: 'contacts_update',
    description: 'A contact was added, changed or removed: read the contacts again.',
    schema: z.object({ type: z.literal('contacts_update') }),
  },
  {
    name: 'since_read',
    description: 'Once, for a subscription with `read_ms_ago`: whether something may have changed since that time.',
    schema: z.object({ type: z.literal('since_read'), changed: z.boolean() }),
  },
];

/** `EventsChannel`: the event log as it grows. */
export const eventsMessages: readonly CableMessage[] = [
  {
    name: 'event',
    description: 'An event of the event log, in its order.',
    schema: z.object({ type: z.literal('event'), cursor, event: recordedEventSchema }),
  },
  {
    name: 'caught_up',
    description: 'Everything that had happened was sent; from here on events come as they happen.',
    schema: z.object({ type: z.literal('caught_up'), cursor }),
  },
  {
    name: 'cursor_expired',
    description: 'What follows `after` is not kept any more. The subscription is rejected after this message.',
    schema: z.object({
      type: z.literal('cursor_expired'),
      oldest_cursor: z.string().describe('From here on everything is kept'),
    }),
  },
];

/** What a subscriber receives: the update under the identifier of the subscription. */
export const inSubscription = ({ name, description, schema }: CableMessage): CableMessage => ({
  name,
  description,
  schema: z.object({ identifier, message: schema }),
});
