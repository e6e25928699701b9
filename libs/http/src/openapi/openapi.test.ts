import { describe, expect, it } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { z } from 'zod';
import { json, empty, html } from '../responses/response.ts';
import { type Api, createApi } from '../endpoints/api.ts';
import { openApiDocument, operationIdFor } from './openapi.ts';
import { createRateLimiter } from '../endpoints/rate-limit.ts';
import { type Endpoint, endpoint } from '../endpoints/endpoint.ts';

interface Principal {
  readonly company: string;
}

const contact = z
  .object({
    id: z.string(),
    name: z.string().nullable(),
    phone: z.string().describe('E.164'),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'Contact', description: 'A person outside the company.' });
const contactFields = z
  .object({ phone: z.string(), email: z.email().optional(), note: z.string().max(10_000).optional() })
  .meta({ id: 'ContactFields' });
const slot = z.object({ type: z.literal('RejectConfig'), text: z.string().default('Closed') }).meta({ id: 'Slot' });

const listContacts = endpoint<Principal>()({
  role: 'none',
  route: 'GET /contacts',
  tag: 'Contacts',
  sdkMethod: 'contacts.list',
  summary: 'List contacts',
  query: z.object({
    phone: z.string().optional().describe('Any format'),
    limit: z.coerce.number().int().max(50).default(10),
  }),
  responses: { 200: z.array(contact) },
  handle: () => json(200, []),
});
const createContact = endpoint<Principal>()({
  role: 'none',
  route: 'POST /contacts',
  tag: 'Contacts',
  summary: 'Create a contact',
  description: 'The phone is normalised.',
  headers: z.object({ 'idempotency-key': z.string().optional() }),
  body: contactFields,
  responses: { 201: contact },
  errors: { 409: 'The key was used: `conflict`.' },
  handle: () => json(201, { id: 'a', name: null, phone: '+45', created_at: '2030-01-01T00:00:00.000Z' }),
});
const deleteContact = endpoint<Principal>()({
  role: 'none',
  route: 'DELETE /contacts/:id',
  tag: 'Contacts',
  summary: 'Delete a contact',
  responses: { 204: null },
  errors: [403],
  deprecated: { since: '2030-01-01' },
  handle: () => empty(204),
});
const putSlot = endpoint<Principal>()({
  role: 'none',
  route: 'PUT /numbers/:number_id/slots/:id',
  tag: 'Numbers',
  summary: 'Replace a slot',
  body: z.object({ slot }).meta({ id: 'SlotHolder' }),
  responses: { 200: z.object({ slot }) },
  handle: ({ body }) => json(200, { slot: body.slot }),
});
const page = endpoint()({
  role: 'none',
  route: 'GET /docs',
  tag: 'Pages',
  summary: 'Read the API page',
  responses: { 200: 'text/html' },
  handle: () => html(200, ''),
});

/** Parses its form itself, as a standard requires. */
const getTokens = endpoint()({
  role: 'none',
  route: 'POST /token',
  tag: 'Pages',
  summary: 'Get tokens',
  documents: { query: z.object({ hint: z.string().optional() }), body: z.object({ code: z.string() }) },
  bodySentAs: 'form',
  responses: { 200: z.object({ token: z.string() }) },
  errors: { 400: { description: 'Refused: `invalid_grant`.', body: z.object({ error_description: z.string() }) } },
  handle: () => json(200, { token: '' }),
});

const limiter = createRateLimiter({ clock: { now: () => new Date(0) } });

function publicApi(routes: Endpoint<Principal>[] = [listContacts, createContact, deleteContact, putSlot]): Api {
  const limit = { limiter, keyOf: (principal: Principal) => principal.company };
  return createApi<Principal>({
    prefix: '/api/v1',
    endpoints: routes,
    limit,
    authenticate: () => ({ company: 'c' }),
  });
}

const contactCreated = {
  name: 'contact.created',
  operationId: 'onContactCreated',
  summary: 'contact.created',
  description: 'A contact was added.',
  tag: 'Events',
  headers: z.object({ 'webhook-id': z.string().describe('Of the delivery') }),
  body: z.object({ event: z.literal('contact.created'), data: z.object({ contact }) }).meta({ id: 'ContactCreated' }),
  example: { event: 'contact.created', data: {} },
};

function describeAll(apis: Api[]) {
  return openApiDocument({
    title: 'Parley',
    version: '1',
    apis,
    webhooks: [contactCreated],
    tags: [{ name: 'Numbers', description: 'Where calls come in.' }],
    securitySchemes: {
      apiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
      bearer: { type: 'http', scheme: 'bearer' },
    },
  });
}

const document = describeAll([publicApi(), createApi({ prefix: '', endpoints: [page, getTokens] })]);
const asJson = JSON.parse(JSON.stringify(document));
const operation = (method: string, path: string) => asJson.paths[path][method];

describe('the document', () => {
  it('the document is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(asJson);
    expect(errors).toBeUndefined();
    expect([valid, validator.version]).toEqual([true, '3.1']);
  });

  it('the document refers only to what is there', () => {
    const references = [...JSON.stringify(asJson).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path]) => path as string);
    expect(references.length).toBeGreaterThan(10);
    for (const reference of references) {
      const found = reference.split('/').reduce((at, key) => at?.[key], asJson);
      expect([reference, typeof found]).toEqual([reference, 'object']);
    }
  });

  it('the document has every route under its full path, in order of tags', () => {
    expect(Object.keys(asJson.paths)).toEqual([
      '/api/v1/contacts',
      '/api/v1/contacts/{id}',
      '/api/v1/numbers/{number_id}/slots/{id}',
      '/docs',
      '/token',
    ]);
    expect(asJson.tags).toEqual([
      { name: 'Numbers', description: 'Where calls come in.' },
      { name: 'Contacts' },
      { name: 'Pages' },
    ]);
  });

  it('the document defines each named schema once', () => {
    const items = operation('get', '/api/v1/contacts').responses[200].content['application/json'].schema.items;
    const created = operation('post', '/api/v1/contacts').responses[201].content['application/json'].schema;
    expect([items, created]).toEqual([
      { $ref: '#/components/schemas/Contact' },
      { $ref: '#/components/schemas/Contact' },
    ]);
    expect(asJson.components.schemas.Contact).toEqual({
      type: 'object',
      description: 'A person outside the company.',
      required: ['id', 'name', 'phone', 'created_at'],
      properties: {
        id: { type: 'string' },
        name: { type: ['string', 'null'] },
        phone: { type: 'string', description: 'E.164' },
        created_at: { type: 'string', format: 'date-time' },
      },
    });
  });

  it('the document separates request and response schemas where they differ', () => {
    const { Slot, SlotInput, SlotOutput, SlotHolder } = asJson.components.schemas;
    expect([Slot.required, (SlotInput ?? SlotOutput).required]).toEqual([['type'], ['type', 'text']]);
    expect(SlotHolder.properties.slot).toEqual({ $ref: '#/components/schemas/Slot' });
    const received = operation('put', '/api/v1/numbers/{number_id}/slots/{id}').responses[200].content[
      'application/json'
    ].schema;
    expect(received.properties.slot).toEqual({ $ref: '#/components/schemas/SlotOutput' });
  });

  it('the document describes parameters, with what is required and what is not', () => {
    expect(operation('get', '/api/v1/contacts').parameters).toEqual([
      { name: 'phone', in: 'query', required: false, description: 'Any format', schema: { type: 'string' } },
      {
        name: 'limit',
        in: 'query',
        required: false,
        schema: expect.objectContaining({ type: 'integer', maximum: 50, default: 10 }),
      },
    ]);
    expect(operation('put', '/api/v1/numbers/{number_id}/slots/{id}').parameters).toEqual([
      { name: 'number_id', in: 'path', required: true, schema: { type: 'string' } },
      { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
    ]);
    expect(operation('post', '/api/v1/contacts').parameters[0]).toMatchObject({
      name: 'idempotency-key',
      in: 'header',
      required: false,
    });
  });

  it('the document describes the body', () => {
    expect(operation('post', '/api/v1/contacts').requestBody).toEqual({
      required: true,
      content: { 'application/json': { schema: { $ref: '#/components/schemas/ContactFields' } } },
    });
    expect(asJson.components.schemas.ContactFields.required).toEqual(['phone']);
  });

  it.each([
    ['get', '/api/v1/contacts', ['200', '401', '422', '429', '500', '503']],
    ['post', '/api/v1/contacts', ['201', '400', '401', '409', '413', '415', '422', '429', '500', '503']],
    ['delete', '/api/v1/contacts/{id}', ['204', '401', '403', '404', '429', '500', '503']],
    ['get', '/docs', ['200', '500', '503']],
  ])('the document lists every answer of %s %s', (method, path, statuses) => {
    expect(Object.keys(operation(method, path).responses)).toEqual(statuses);
  });

  it('the document names the codes where the route does, and shares the rest', () => {
    const { responses } = operation('post', '/api/v1/contacts');
    expect(responses[409].description).toBe('The key was used: `conflict`.');
    expect(responses[422]).toEqual({ $ref: '#/components/responses/Invalid' });
  });

  it('the document describes input that a handler parses itself, and its own errors', () => {
    const { parameters, requestBody, responses } = operation('post', '/token');
    expect(parameters).toMatchObject([{ name: 'hint', in: 'query', required: false }]);
    const { schema } = requestBody.content['application/x-www-form-urlencoded'];
    expect([requestBody.required, schema.required]).toEqual([true, ['code']]);
    expect(Object.keys(responses)).toEqual(['200', '400', '413', '415', '500', '503']);
    expect(responses[400]).toMatchObject({
      description: 'Refused: `invalid_grant`.',
      content: { 'application/json': { schema: { required: ['error_description'] } } },
    });
  });

  it('the document requires a credential only where one is needed', () => {
    expect(operation('get', '/api/v1/contacts').security).toEqual([{ apiKey: [] }, { bearer: [] }]);
    expect(operation('get', '/docs').security).toEqual([]);
  });

  it('the document names the method of clients where the route does', () => {
    expect(operation('get', '/api/v1/contacts')['x-sdk-method']).toBe('contacts.list');
    expect(operation('post', '/api/v1/contacts')).not.toHaveProperty('x-sdk-method');
  });

  it('the document describes what subscribers receive, from the same schemas', () => {
    const { post } = asJson.webhooks['contact.created'];
    expect(post).toMatchObject({
      operationId: 'onContactCreated',
      security: [],
      parameters: [{ name: 'webhook-id', in: 'header', required: true, description: 'Of the delivery' }],
    });
    expect(post.requestBody.content['application/json']).toEqual({
      schema: { $ref: '#/components/schemas/ContactCreated' },
      example: contactCreated.example,
    });
    expect(asJson.components.schemas.ContactCreated.properties).toEqual({
      event: { type: 'string', const: 'contact.created' },
      data: expect.objectContaining({ properties: { contact: { $ref: '#/components/schemas/Contact' } } }),
    });
  });

  it('the document marks what will go', () => {
    expect(operation('delete', '/api/v1/contacts/{id}').deprecated).toBe(true);
  });

  it.each([
    ['two operations of one id', [listContacts, { ...listContacts, path: '/people' }], 'listContacts'],
    [
      'two schemas of one id',
      [
        listContacts,
        { ...deleteContact, responses: { 200: z.object({ x: z.string() }).meta({ id: 'ContactFields' }) } },
        { ...createContact, responses: { 201: contactFields } },
      ],
      'two schemas have the id ContactFields',
    ],
  ])('the document refuses %s', (_what, routes, why) => {
    expect(() => describeAll([publicApi(routes)])).toThrow(why);
  });
});

describe('operationIdFor', () => {
  it.each([
    ['Update a contact', 'updateContact'],
    ['List contacts', 'listContacts'],
    ['Replace the outside-hours config of a number', 'replaceOutsideHoursConfigOfNumber'],
    ["Read an employee's do-not-disturb", 'readEmployeesDoNotDisturb'],
  ])('operationIdFor makes of "%s" %s', (summary, id) => {
    expect(operationIdFor(summary)).toBe(id);
  });
});
