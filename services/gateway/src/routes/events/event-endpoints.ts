import { refusal } from '@parley/errors';
import { endpoint, HttpError, json, jsonText } from '@parley/http';
import { isoTimeOf, recordedEventSchema } from '@parley/public-json';
import type { EmployeePrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { Clients } from '../../peers/peers.ts';
import { boundedText } from '../shared/bounded-text.ts';
import { isoTimeSchema, timestampOf } from '../shared/iso-time.ts';
import { pageLimit } from '../shared/page-query.ts';
import { deliveryJson, deliverySchema } from '../webhooks/delivery-json.ts';
import { eventWriter } from './event-json.ts';

export const eventEndpoints = (clients: Clients) => [
  listEvents(clients),
  getEvent(clients),
  listEventTypes(clients),
  sendEvent(clients),
];

/** Of types that a reader may name. */
export const EVENT_TYPES_MAX = 30;
const TYPE_LENGTH_MAX = 64;
/** Longer than any cursor we give out. */
const CURSOR_LENGTH_MAX = 2048;

const eventTypes = z
  .string()
  .max(EVENT_TYPES_MAX * (TYPE_LENGTH_MAX + 1))
  .transform((names) => names.split(','))
  .refine((names) => names.length <= EVENT_TYPES_MAX, `must have at most ${EVENT_TYPES_MAX} items`);

const invalidCursor = refusal('invalid_cursor', 'after is invalid', { fields: { after: ['is invalid'] } });

const cursorExpired = z.object({
  error: z.literal('cursor_expired'),
  code: z.literal('cursor_expired'),
  oldest_cursor: z.string().describe('`after` to go on with the oldest event that is kept'),
});

const listEvents = (clients: Clients) => {
  const write = eventWriter(clients);
  return endpoint<EmployeePrincipal>()({
    role: 'admin',
    route: 'GET /events',
    sdkMethod: 'events.list',
    summary: 'List events',
    description:
      'Everything that webhooks can get, oldest first, in one final order: whoever follows `next_cursor` sees every event exactly once. Kept for 30 days. Events are recorded from the first use: the first webhook, the first request to this operation or the first subscription to `EventsChannel`. A page may be short or empty while `has_more` is true. `recording_url` is signed for the reader, for an hour.',
    query: z
      .object({
        after: z
          .string()
          .max(CURSOR_LENGTH_MAX)
          .optional()
          .describe('`next_cursor` of an earlier response, with the same or other `types`'),
        from: isoTimeSchema
          .optional()
          .describe(
            'Begin with the first event recorded at this time or later. Without it and `after`: the oldest event that is kept',
          ),
        types: eventTypes.optional().describe('1 to 30 types, separated by commas, or `call.*`'),
        limit: pageLimit,
      })
      .refine(({ after, from }) => after === undefined || from === undefined, {
        path: ['from'],
        message: 'must not be given together with after',
      }),
    responses: {
      200: z.object({
        events: z.array(recordedEventSchema),
        next_cursor: z.string().describe('Where the next page begins, also after an empty page'),
        has_more: z.boolean().describe('True when more can be read now'),
        recorded_since: z.string().describe('From when on events are recorded'),
      }),
    },
    errors: {
      410: {
        description: '`cursor_expired`: what follows `after` is not kept any more. Go on with `oldest_cursor`.',
        body: cursorExpired,
      },
      422: 'Validation failed, or `invalid_cursor`: `after` is damaged or another company’s.',
    },
    inputError: ({ fields }) => (fields['after'] ? invalidCursor : undefined),
    async handle({ query, context }) {
      const { after, from, types = [], limit } = query;
      const page = await clients.eventLog.listEvents({ after, from: timestampOf(from), types, limit }, { as: context });
      if (page.oldestCursor !== undefined) {
        const code = 'cursor_expired';
        throw new HttpError(410, { error: code, code, oldest_cursor: page.oldestCursor });
      }
      const events = await write(context, page.events);
      const others = {
        next_cursor: page.nextCursor,
        has_more: page.hasMore,
        recorded_since: isoTimeOf(page.recordedSince),
      };
      return jsonText(200, `{"events":[${events.join(',')}],${JSON.stringify(others).slice(1)}`);
    },
  });
};

const getEvent = (clients: Clients) => {
  const write = eventWriter(clients);
  return endpoint<EmployeePrincipal>()({
    role: 'admin',
    route: 'GET /events/:id',
    sdkMethod: 'events.get',
    summary: 'Read an event',
    description: 'Also 404 for an event that is not kept any more.',
    responses: { 200: recordedEventSchema },
    errors: [404],
    async handle({ params, context }) {
      const { event } = await clients.eventLog.getEvent({ id: params.id }, { as: context });
      const [text] = await write(context, [event!]);
      return jsonText(200, text!);
    },
  });
};

const listEventTypes = ({ eventLog }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'admin',
    route: 'GET /event_types',
    sdkMethod: 'events.types',
    summary: 'List event types',
    description: 'Every type that a webhook can name.',
    responses: {
      200: z.object({
        event_types: z.array(
          z
            .object({
              name: z.string(),
              description: z.string().describe('When it happens'),
              former_names: z.array(z.string()).describe('Names that older webhooks may use'),
            })
            .meta({ id: 'EventType' }),
        ),
      }),
    },
    async handle({ context }) {
      const { eventTypes: types } = await eventLog.listEventTypes({}, { as: context });
      return json(200, {
        event_types: types.map(({ name, description, formerNames }) => ({
          name,
          description,
          former_names: formerNames,
        })),
      });
    },
  });

const sendEvent = ({ eventLog }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'admin',
    route: 'POST /events/:id/deliveries',
    sdkMethod: 'events.send',
    summary: 'Send an event to a webhook',
    operationId: 'sendEvent',
    description: 'Also to a webhook that was created later or does not name the type.',
    body: z.object({ webhook_id: boundedText(128) }),
    responses: { 202: deliverySchema },
    errors: [404],
    async handle({ params, body, context }) {
      const request = { eventId: params.id, subscriptionId: body.webhook_id };
      const { delivery } = await eventLog.sendEvent(request, { as: context });
      return json(202, deliveryJson(delivery!));
    },
  });
