import { readFileSync } from 'node:fs';
import specs from '@asyncapi/specs';
import { describe, expect, it } from '@jest/globals';
import { eventTypes } from '@parley/public-json';
import { Ajv } from 'ajv';
import { publicApiDocument, publicAsyncApiDocument } from './api-document.ts';
import { asyncApiDocument } from './async-api-document.ts';

const document: any = JSON.parse(JSON.stringify(publicAsyncApiDocument()));
const delivered = [...eventTypes, 'webhook.test'];

const at = (pointer: string) =>
  pointer
    .slice(2)
    .split('/')
    .reduce((found, key) => found?.[key], document);
const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, pointer]) => pointer as string);

describe('the AsyncAPI document', () => {
  it('the AsyncAPI document is committed as it is; after a change of events run "npm run generate"', () => {
    const committed: unknown = JSON.parse(readFileSync(new URL('../../asyncapi.json', import.meta.url), 'utf8'));
    expect(committed).toEqual(document);
  });

  it('the AsyncAPI document is valid AsyncAPI 3.0.0', () => {
    const validate = new Ajv({ strict: false, validateFormats: false }).compile(specs.schemasWithoutId['3.0.0']);
    expect([validate(document), validate.errors]).toEqual([true, null]);
    const { webhooks: _, ...channels } = document.channels;
    const changed = { ...document, channels: { ...channels, webhooks: { address: 1 } } };
    expect(validate(changed)).toBe(false);
  });

  it('the AsyncAPI document refers only to what is there', () => {
    expect(references.length).toBeGreaterThan(100);
    for (const pointer of references) expect([pointer, typeof at(pointer)]).toEqual([pointer, 'object']);
  });

  it('the AsyncAPI document has a channel for webhooks, without address, with a message and an operation for each type', () => {
    const { webhooks } = document.channels;
    expect([webhooks.address, Object.keys(webhooks.messages)]).toEqual([null, delivered]);
    for (const type of delivered) {
      const message = at(webhooks.messages[type].$ref);
      const payload = at(message.payload.$ref);
      expect(payload.properties.event).toEqual({ type: 'string', const: type });
      expect(message.headers.required).toEqual(['webhook-id', 'webhook-timestamp', 'webhook-signature']);
      const sending = Object.values<any>(document.operations).filter(({ messages }) =>
        messages.some(({ $ref }: { $ref: string }) => $ref === `#/channels/webhooks/messages/${type}`),
      );
      expect(sending).toMatchObject([{ action: 'send', channel: { $ref: '#/channels/webhooks' } }]);
    }
  });

  it('the AsyncAPI document has real examples that fit, and have no other fields', () => {
    const ajv = new Ajv({ strict: false, validateFormats: false });
    ajv.addSchema(closed({ components: document.components }), 'document');
    for (const type of delivered) {
      const [example] = document.components.messages[type].examples ?? [];
      expect([type, typeof example?.payload]).toEqual([type, 'object']);
      for (const part of ['payload', 'headers']) {
        const validate = ajv.getSchema(`document#/components/messages/${type}/${part}`)!;
        expect([type, part, validate(example[part]), validate.errors]).toEqual([type, part, true, null]);
      }
      expect([type, 'parley-event-id' in example.headers]).toEqual([type, type !== 'webhook.test']);
    }
    const names = Object.keys(document.channels.cable.messages);
    const withExample = names.filter((name) => document.components.messages[name].examples);
    expect(withExample).toEqual(
      expect.arrayContaining(['subscribe', 'ping', 'sms_update', 'employees_update', 'event', 'caught_up']),
    );
    for (const name of withExample) {
      const validate = ajv.getSchema(`document#/components/messages/${name}/payload`)!;
      const [{ payload }] = document.components.messages[name].examples;
      expect([name, validate(payload), validate.errors]).toEqual([name, true, null]);
    }
  });

  it('the AsyncAPI document names no machine', () => {
    const examples = Object.values<any>(document.components.messages).map((message) => message.examples);
    expect(JSON.stringify(examples)).not.toMatch(/localhost|127\.0\.0\.1|whsec_|sig=[\w-]/);
  });

  it('the AsyncAPI document has every message of the live channel, sent by one operation each', () => {
    const { cable } = document.channels;
    expect(cable).toMatchObject({ address: '/cable', bindings: { ws: { method: 'GET' } } });
    const names = Object.keys(cable.messages);
    expect(names).toEqual(expect.arrayContaining(['sms_update', 'unseen_update', 'since_read', 'event', 'caught_up']));
    const operations = Object.values<any>(document.operations).filter(
      ({ channel }) => channel.$ref === '#/channels/cable',
    );
    const used = operations.flatMap(({ messages }) => messages.map(({ $ref }: any) => $ref.split('/').at(-1)));
    expect(used.toSorted()).toEqual(names.toSorted());
  });

  it('the AsyncAPI document has the address of the installation', () => {
    const { servers } = asyncApiDocument('https://phone.example:8443/parley');
    expect(servers.parley).toMatchObject({ host: 'phone.example:8443', protocol: 'wss', pathname: '/parley' });
  });
});

describe('the events in the OpenAPI document', () => {
  it('the events in the OpenAPI document are those of the AsyncAPI document, from the same schemas', () => {
    const { webhooks = {}, components } = JSON.parse(JSON.stringify(publicApiDocument()));
    expect(Object.keys(webhooks)).toEqual(delivered);
    for (const type of delivered) {
      const { schema, example } = webhooks[type].post.requestBody.content['application/json'];
      const message = document.components.messages[type];
      expect(schema).toEqual(message.payload);
      expect(example).toEqual(message.examples[0].payload);
      const name = schema.$ref.split('/').at(-1);
      expect(components.schemas[name]).toEqual(document.components.schemas[name]);
    }
  });

  it('the events in the OpenAPI document are what the event log gives, told apart by their type', () => {
    const { paths, components } = JSON.parse(JSON.stringify(publicApiDocument()));
    const success = (path: string) => paths[path].get.responses[200].content['application/json'].schema;
    const reference = { $ref: '#/components/schemas/RecordedEvent' };
    expect(success('/api/v1/events').properties.events.items).toEqual(reference);
    expect(success('/api/v1/events/{id}')).toEqual(reference);
    const variants = components.schemas.RecordedEvent.oneOf.map(({ $ref }: any) => components.schemas[$ref.slice(21)]);
    expect(variants.map(({ properties }: any) => properties.event.const)).toEqual(eventTypes);
    for (const variant of variants) expect(variant.required).toEqual(['id', 'event', 'timestamp', 'data']);
  });
});

/** The same schemas without room for further fields. */
function closed(value: any): any {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const inside = Object.fromEntries(Object.entries(value).map(([key, one]) => [key, closed(one)]));
  const isOpen = value.type === 'object' && value.properties && value.additionalProperties === undefined;
  return isOpen ? { ...inside, additionalProperties: false } : inside;
}
