import { createSchemaRegistry, type JsonSchema, type SchemaRegistry } from '@parley/http';
import { messageTitle } from '@parley/public-json';
import {
  cableCommands,
  type CableMessage,
  callsMessages,
  connectionMessages,
  eventsMessages,
  inSubscription,
  teamMessages,
} from '../live/cable-messages.ts';
import { deliveredEvents, deliveryHeaders, examples, wholeDescription } from './described-events.ts';

const WEBHOOKS = `Events of the company, each sent to the address of every webhook that names its type. The address is the subscriber’s, so this document has none. Anything but a status of 2xx within 15 seconds is repeated up to five times.`;

const CABLE =
  'Action Cable (`actioncable-v1-json`). A client subscribes by the commands `subscribe` and `unsubscribe`, and gets the messages of each channel under the identifier of its subscription.';

/** The messages that Parley sends over the live channel, by the operation that sends them. */
const SENT: readonly { operation: string; summary: string; messages: readonly CableMessage[] }[] = [
  { operation: 'sendConnectionMessages', summary: 'Messages of the connection', messages: connectionMessages },
  {
    operation: 'sendCallsUpdates',
    summary: 'Messages of `CallsChannel`',
    messages: callsMessages.map(inSubscription),
  },
  { operation: 'sendTeamUpdates', summary: 'Messages of `TeamChannel`', messages: teamMessages.map(inSubscription) },
  { operation: 'sendEvents', summary: 'Messages of `EventsChannel`', messages: eventsMessages.map(inSubscription) },
];

/** The AsyncAPI document: what webhooks and clients of the live channel receive. */
export function asyncApiDocument(publicUrl: string) {
  const schemas = createSchemaRegistry();
  const base = new URL(publicUrl);
  const deliveries = deliveredMessages(schemas);
  const sent = Object.assign({}, ...SENT.map(({ messages }) => cableMessages(messages, schemas))) as Messages;
  const commands = cableMessages(cableCommands, schemas);
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Parley events',
      version: '1',
      description: `Webhooks and the live channel of the [Parley API](${publicUrl}/docs). [Every event with an example](${publicUrl}/docs/events).`,
    },
    defaultContentType: 'application/json',
    servers: {
      receiver: {
        host: '{host}',
        protocol: 'https',
        description: 'The subscriber’s own server.',
        variables: { host: { description: 'Of the `url` of the webhook.', examples: ['receiver.example'] } },
      },
      parley: {
        host: base.host,
        protocol: base.protocol === 'https:' ? 'wss' : 'ws',
        ...(base.pathname !== '/' && { pathname: base.pathname }),
        security: ['api_key', 'bearer'].map((name) => reference('components', 'securitySchemes', name)),
      },
    },
    channels: {
      webhooks: {
        address: null,
        title: 'Webhooks',
        description: WEBHOOKS,
        servers: [reference('servers', 'receiver')],
        messages: references(deliveries),
      },
      cable: {
        address: '/cable',
        title: 'Live channel',
        description: CABLE,
        servers: [reference('servers', 'parley')],
        messages: references({ ...sent, ...commands }),
        bindings: { ws: webSocketBinding },
      },
    },
    operations: {
      ...Object.fromEntries(
        deliveredEvents.map(({ type, description }) => [
          `send${messageTitle(type)}`,
          {
            ...operation('send', 'webhooks', [type], description),
            bindings: { http: { method: 'POST', bindingVersion: '0.3.0' } },
          },
        ]),
      ),
      ...Object.fromEntries(
        SENT.map(({ operation: name, summary, messages }) => [
          name,
          operation(
            'send',
            'cable',
            messages.map((one) => one.name),
            summary,
          ),
        ]),
      ),
      receiveCommands: operation('receive', 'cable', Object.keys(commands), 'Commands of a client'),
    },
    components: {
      messages: { ...deliveries, ...sent, ...commands },
      schemas: schemas.components(),
      securitySchemes: {
        api_key: { type: 'httpApiKey', in: 'header', name: 'X-Api-Key' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
    },
  };
}

const webSocketBinding = {
  method: 'GET',
  query: {
    type: 'object',
    properties: {
      token: { type: 'string', description: 'An access token, for browsers, which cannot send header fields.' },
    },
  },
  headers: {
    type: 'object',
    properties: { 'Sec-WebSocket-Protocol': { type: 'string', const: 'actioncable-v1-json' } },
    required: ['Sec-WebSocket-Protocol'],
  },
  bindingVersion: '0.1.0',
};

type Messages = Record<string, { readonly payload: JsonSchema }>;

function deliveredMessages(schemas: SchemaRegistry): Messages {
  const headers = schemas.describe(deliveryHeaders, 'output');
  return Object.fromEntries(
    deliveredEvents.map((event) => {
      const example = examples.webhooks[event.type];
      return [
        event.type,
        {
          name: event.type,
          title: messageTitle(event.type),
          summary: event.description,
          description: wholeDescription(event),
          contentType: 'application/json',
          headers,
          payload: schemas.describe(event.schema, 'output'),
          ...(example && { examples: [{ name: event.type, headers: example.headers, payload: example.body }] }),
          ...(event.formerNames.length > 0 && { 'x-former-names': event.formerNames }),
        },
      ];
    }),
  );
}

function cableMessages(messages: readonly CableMessage[], schemas: SchemaRegistry): Messages {
  return Object.fromEntries(
    messages.map(({ name, description, schema }) => {
      const payload = schemas.describe(schema, 'output');
      const example = examples.cable[name];
      const title = messageTitle(name);
      return [
        name,
        { name, title, summary: description, payload, ...(example && { examples: [{ name, payload: example }] }) },
      ];
    }),
  );
}

function operation(action: 'send' | 'receive', channel: string, messages: readonly string[], summary: string) {
  return {
    action,
    channel: reference('channels', channel),
    summary,
    messages: messages.map((name) => reference('channels', channel, 'messages', name)),
  };
}

function references(messages: Messages) {
  return Object.fromEntries(Object.keys(messages).map((name) => [name, reference('components', 'messages', name)]));
}

function reference(...path: string[]) {
  return { $ref: `#/${path.join('/')}` };
}
