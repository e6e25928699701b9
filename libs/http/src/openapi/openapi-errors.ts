import { z } from 'zod';
import type { OpenApiDocument, ResponseEntry } from './openapi-document.ts';
import type { SchemaRegistry } from './openapi-schemas.ts';

const requestId = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } };
const retryAfter = { ...requestId, 'Retry-After': { $ref: '#/components/headers/RetryAfter' } };
const challenge = { ...requestId, 'WWW-Authenticate': { $ref: '#/components/headers/Challenge' } };

/** Header fields of every response. */
export const RESPONSE_HEADERS: NonNullable<ResponseEntry['headers']> = requestId;

interface ErrorEntry {
  readonly name: string;
  readonly description: string;
  readonly headers: NonNullable<ResponseEntry['headers']>;
}

/** The error responses that many operations share, as components of the document. */
export const ERROR_RESPONSES: Readonly<Record<number, ErrorEntry>> = {
  400: { name: 'BadRequest', description: 'The request is malformed.', headers: requestId },
  401: {
    name: 'Unauthorized',
    description: 'The credential is missing, invalid, expired or revoked.',
    headers: challenge,
  },
  403: { name: 'Forbidden', description: 'The credential does not allow this.', headers: requestId },
  404: {
    name: 'NotFound',
    description: 'The resource does not exist, or belongs to another company.',
    headers: requestId,
  },
  409: { name: 'Conflict', description: 'The current state of the resource does not allow this.', headers: requestId },
  413: { name: 'PayloadTooLarge', description: 'The request body is larger than 1 MiB.', headers: requestId },
  415: {
    name: 'UnsupportedMediaType',
    description: 'The request body is neither JSON nor form-encoded.',
    headers: requestId,
  },
  422: { name: 'Invalid', description: 'Validation failed. `errors` lists the problems by field.', headers: requestId },
  425: {
    name: 'TooEarly',
    description: 'Not there yet. Retry after the number of seconds in `Retry-After`.',
    headers: retryAfter,
  },
  429: {
    name: 'TooManyRequests',
    description: 'Rate limit exceeded. Retry after the number of seconds in `Retry-After`.',
    headers: retryAfter,
  },
  500: {
    name: 'InternalError',
    description: 'Internal error. Quote `request_id` when you report it.',
    headers: requestId,
  },
  502: { name: 'Unreachable', description: 'An upstream system did not respond.', headers: requestId },
  503: {
    name: 'Unavailable',
    description: 'Service temporarily unavailable. Retry after the number of seconds in `Retry-After`.',
    headers: retryAfter,
  },
};

const errorBody = z
  .object({
    error: z.string().describe('Error code, or a message where no code is defined.'),
    code: z.string().optional().describe('Error code, where one is defined.'),
    request_id: z.string().optional().describe('Present with 500 and 503.'),
  })
  .meta({ id: 'Error', description: 'An error. Some codes add further fields.' });

const validationErrorBody = z
  .object({
    error: z.string().describe('Human-readable message.'),
    code: z.string().describe('`validation_failed`, or a code specific to the operation.'),
    errors: z.record(z.string(), z.array(z.string())).optional(),
  })
  .meta({
    id: 'ValidationError',
    description: 'A validation error. `errors` maps field paths such as `menu_options[1].digit` to messages.',
  });

/** The components of a document: the named schemas, the shared errors and their headers. */
export function errorComponents(schemas: SchemaRegistry): OpenApiDocument['components'] {
  const error = schemas.describe(errorBody, 'output');
  const validationError = schemas.describe(validationErrorBody, 'output');
  const responses = Object.entries(ERROR_RESPONSES).map(([status, { name, description, headers }]) => [
    name,
    { description, headers, content: { 'application/json': { schema: status === '422' ? validationError : error } } },
  ]);
  return {
    schemas: schemas.components(),
    responses: Object.fromEntries(responses),
    headers: {
      RequestId: {
        description: 'The `X-Request-Id` of the request if it had a valid one, otherwise a generated id.',
        schema: { type: 'string' },
      },
      RetryAfter: { description: 'Seconds to wait before retrying.', schema: { type: 'integer' } },
      Challenge: { description: 'Authentication challenge (RFC 6750).', schema: { type: 'string' } },
    },
  };
}
