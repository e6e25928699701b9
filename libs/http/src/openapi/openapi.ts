import { z } from 'zod';
import type { Api } from '../endpoints/api.ts';
import {
  type Content,
  createSchemaRegistry,
  type JsonSchema,
  type Parameter,
  type Reference,
  type ResponseEntry,
  type SchemaRegistry,
} from './openapi-schemas.ts';
import { ERROR_RESPONSES, errorComponents, RESPONSE_HEADERS } from './openapi-errors.ts';
import type { BodyShape, ResponseShape, ErrorShape, Endpoint } from '../endpoints/endpoint.ts';

export type OpenApiDocument = ReturnType<typeof openApiDocument>;
/** One method of one path. */
type Operation = ReturnType<typeof describeOperation>;

/** The described part of an API; endpoints that several APIs serve can be described as one. */
export type DescribedApi = Pick<Api, 'prefix' | 'endpoints' | 'authenticated' | 'limited'>;

/** A request that subscribers receive, as a document describes it. */
export interface DescribedWebhook {
  /** Its key among the webhooks of the document. */
  readonly name: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tag: string;
  readonly headers: z.ZodObject;
  readonly body: z.ZodType;
  readonly example?: unknown;
}

/** The content of a document beyond its operations. */
export interface OpenApiOptions {
  readonly title: string;
  readonly version: string;
  readonly description?: string;
  /** The endpoints of one base address; their paths must not overlap. */
  readonly apis: readonly DescribedApi[];
  readonly webhooks?: readonly DescribedWebhook[];
  /** In the order they are to be read; tags that only endpoints name follow. */
  readonly tags?: readonly { readonly name: string; readonly description?: string }[];
  readonly servers?: readonly { readonly url: string; readonly description?: string }[];
  /** Any one of them opens the authenticated APIs. */
  readonly securitySchemes?: Readonly<Record<string, JsonSchema>>;
}

/** Describes what the APIs serve, from the same declarations that route and validate. */
export function openApiDocument(options: OpenApiOptions) {
  const { title, version, description, apis, webhooks = [], tags = [], servers, securitySchemes = {} } = options;
  const schemas = createSchemaRegistry();
  const security = Object.keys(securitySchemes).map((name) => ({ [name]: [] }));
  const paths: Record<string, Record<string, Operation>> = {};
  const operationIds = new Set<string>();
  const tagNames = new Set(tags.map((tag) => tag.name));
  for (const api of apis) {
    for (const endpoint of api.endpoints) {
      const operation = describeOperation(api, endpoint, schemas, api.authenticated ? security : []);
      if (operationIds.has(operation.operationId)) throw new Error(`two operations are ${operation.operationId}`);
      operationIds.add(operation.operationId);
      if (endpoint.tag !== undefined) tagNames.add(endpoint.tag);
      const path = (api.prefix + endpoint.path).replace(/:(\w+)/g, '{$1}');
      paths[path] = { ...paths[path], [endpoint.method]: operation };
    }
  }
  const received = webhooks.map((webhook) => [webhook.name, { post: describeWebhook(webhook, schemas) }] as const);
  return {
    openapi: '3.1.1',
    info: { title, version, ...(description && { description }) },
    ...(servers && { servers }),
    tags: [...tagNames].map((name) => tags.find((tag) => tag.name === name) ?? { name }),
    paths,
    ...(received.length > 0 && { webhooks: Object.fromEntries(received) }),
    components: {
      ...errorComponents(schemas),
      ...(security.length > 0 && { securitySchemes }),
    },
  };
}

/** `updateContact` for "Update a contact". */
export function operationIdFor(summary: string): string {
  const words = summary.replace(/['’]/g, '').match(/[A-Za-z0-9]+/g) ?? [];
  const telling = words.filter((word) => !/^(a|an|the)$/i.test(word)).map((word) => word.toLowerCase());
  return telling.map((word, i) => (i === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1))).join('');
}

function describeOperation(
  api: DescribedApi,
  endpoint: Endpoint<never>,
  schemas: SchemaRegistry,
  security: readonly Record<string, readonly string[]>[],
) {
  const { query, body } = { query: endpoint.query, body: endpoint.body, ...endpoint.documents };
  const parameters = [
    ...parametersOf(endpoint.params ?? stringParams(endpoint.path), 'path', schemas),
    ...(query ? parametersOf(query, 'query', schemas) : []),
    ...(endpoint.headers ? parametersOf(endpoint.headers, 'header', schemas) : []),
  ];
  return {
    operationId: endpoint.operationId ?? operationIdFor(endpoint.summary),
    tags: endpoint.tag === undefined ? [] : [endpoint.tag],
    summary: endpoint.summary,
    ...(endpoint.description && { description: endpoint.description }),
    ...(endpoint.deprecated && { deprecated: true }),
    security,
    // The lowest role of an employee that can succeed.
    ...(endpoint.role !== 'none' && { 'x-required-role': endpoint.role }),
    ...(endpoint.sdkMethod !== undefined && { 'x-sdk-method': endpoint.sdkMethod }),
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && { requestBody: requestBodyOf(body, endpoint.bodySentAs, schemas) }),
    responses: { ...successesOf(endpoint, schemas), ...refusalsOf(api, endpoint, schemas) },
  };
}

function describeWebhook(webhook: DescribedWebhook, schemas: SchemaRegistry) {
  const { operationId, summary, description, tag, headers, body, example } = webhook;
  const schema = schemas.describe(body, 'output');
  return {
    operationId,
    tags: [tag],
    summary,
    description,
    security: [],
    parameters: parametersOf(headers, 'header', schemas),
    requestBody: {
      required: true,
      content: { 'application/json': { schema, ...(example !== undefined && { example }) } },
    },
    responses: {
      '2XX': { description: 'Received.' },
      default: { description: 'Anything else, and no response in time: the request is repeated.' },
    },
  };
}

function stringParams(path: string): z.ZodObject {
  return z.object(Object.fromEntries([...path.matchAll(/:(\w+)/g)].map(([, name]) => [name, z.string()])));
}

function parametersOf(schema: z.ZodObject, place: Parameter['in'], schemas: SchemaRegistry): Parameter[] {
  return Object.entries(schema.shape).map(([name, field]) => {
    const { description, ...json } = schemas.describe(field as z.ZodType, 'input');
    const required = place === 'path' || !(field as z.ZodType).safeParse(undefined).success;
    return { name, in: place, required, ...(typeof description === 'string' && { description }), schema: json };
  });
}

function requestBodyOf(
  body: BodyShape,
  sentAs: Endpoint<never>['bodySentAs'],
  schemas: SchemaRegistry,
): { readonly required: boolean; readonly content: Content } {
  if (typeof body === 'string') return { required: true, content: { '*/*': { schema: {} } } };
  const mediaType = sentAs === 'form' ? 'application/x-www-form-urlencoded' : 'application/json';
  // An empty body counts as {}, so a body is required exactly when {} would not do.
  const required = !body.safeParse({}).success;
  return { required, content: { [mediaType]: { schema: schemas.describe(body, 'input') } } };
}

function successesOf(endpoint: Endpoint<never>, schemas: SchemaRegistry): Record<string, ResponseEntry> {
  const entries = Object.entries(endpoint.responses).map(([status, shape]): [string, ResponseEntry] => [
    status,
    {
      description: SUCCESSES[status] ?? ERROR_RESPONSES[Number(status)]?.description ?? 'Success.',
      headers: RESPONSE_HEADERS,
      ...contentOf(shape, schemas),
    },
  ]);
  return Object.fromEntries(entries);
}

const SUCCESSES: Readonly<Record<string, string>> = {
  200: 'Success.',
  201: 'Created.',
  202: 'Accepted for processing.',
  204: 'Success, without a response body.',
  302: 'Redirect.',
  303: 'Redirect.',
};

function contentOf(shape: ResponseShape, schemas: SchemaRegistry): { content?: Content } {
  if (shape === null) return {};
  if (typeof shape === 'string') return { content: { [shape]: { schema: {} } } };
  return { content: { 'application/json': { schema: schemas.describe(shape, 'output') } } };
}

function refusalsOf(
  api: DescribedApi,
  endpoint: Endpoint<never>,
  schemas: SchemaRegistry,
): Record<string, ResponseEntry | Reference> {
  const { errors: refuses = [], documents: describes, path } = endpoint;
  const body = endpoint.body ?? describes?.body;
  const own: Record<number, string | ErrorShape | undefined> = Array.isArray(refuses)
    ? Object.fromEntries(refuses.map((status: number) => [status, undefined]))
    : { ...(refuses as Record<number, string | ErrorShape>) };
  const usual = [
    api.authenticated && 401,
    isRestricted(endpoint) && 403,
    api.limited && 429,
    path.includes(':') && 404,
    (endpoint.body !== undefined || endpoint.query !== undefined) && describes === undefined && 422,
    body !== undefined && 400,
    body !== undefined && 413,
    body !== undefined && typeof body !== 'string' && 415,
    500,
    503,
  ];
  const statuses = new Set([...usual.filter((status) => status !== false), ...Object.keys(own).map(Number)]);
  return Object.fromEntries([...statuses].sort().map((status) => [status, refusalEntry(status, own[status], schemas)]));
}

/** True when some employees may not use it. */
function isRestricted({ role, permits, permitsFields }: Endpoint<never>): boolean {
  return role === 'admin' || role === 'owner' || permits !== undefined || permitsFields !== undefined;
}

function refusalEntry(
  status: number,
  own: string | ErrorShape | undefined,
  schemas: SchemaRegistry,
): ResponseEntry | Reference {
  const shared = ERROR_RESPONSES[status];
  if (shared !== undefined && own === undefined) return { $ref: `#/components/responses/${shared.name}` };
  if (typeof own === 'object')
    return { description: own.description, headers: RESPONSE_HEADERS, ...contentOf(own.body, schemas) };
  const schema = { $ref: `#/components/schemas/${status === 422 ? 'ValidationError' : 'Error'}` };
  return {
    description: own ?? shared?.description ?? `Error ${status}.`,
    headers: shared?.headers ?? RESPONSE_HEADERS,
    content: { 'application/json': { schema } },
  };
}
