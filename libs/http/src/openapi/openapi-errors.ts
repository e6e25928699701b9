import { z } from 'zod';
import type { ResponseEntry, SchemaRegistry } from './openapi-schemas.ts';

const requestId = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } };
const retryAfter = { ...requestId, 'Retry-After': { $ref: '#/components/headers/RetryAfter' } };
const challenge = { ...requestId, 'WWW-Authenticate': { $ref: '#/components/headers/Challenge' } };

const RETRY = 'Retry after the number of seconds in `Retry-After`.';

/** Header fields of every response. */
export const RESPONSE_HEADERS: NonNullable<ResponseEntry['headers']> = requestId;

const sharedError = (
  name: string,
  description: string,
  headers: NonNullable<ResponseEntry['headers']> = requestId,
) => ({
  name,
  description,
  headers,
});

/** The error responses that many operations share, as components of the document. */
export const ERROR_RESPONSES: Readonly<Record<number, ReturnType<typeof sharedError>>> = {
  400: sharedError('BadRequest', 'The request is malformed.'),
  401: sharedError('Unauthorized', 'The credential is missing, invalid, expired or revoked.', challenge),
  403: sharedError('Forbidden', 'The credential does not allow this.'),
  404: sharedError('NotFound', 'The resource does not exist, or belongs to another company.'),
  409: sharedError('Conflict', 'The current state of the resource does not allow this.'),
  413: sharedError('PayloadTooLarge', 'The request body is larger than 1 MiB.'),
  415: sharedError('UnsupportedMediaType', 'The request body is neither JSON nor form-encoded.'),
  422: sharedError('Invalid', 'Validation failed. `errors` lists the problems by field.'),
  425: sharedError('TooEarly', `Not there yet. ${RETRY}`, retryAfter),
  429: sharedError('TooManyRequests', `Rate limit exceeded. ${RETRY}`, retryAfter),
  500: sharedError('InternalError', 'Internal error. Quote `request_id` when you report it.'),
  502: sharedError('Unreachable', 'An upstream system did not respond.'),
  503: sharedError('Unavailable', `Service temporarily unavailable. ${RETRY}`, retryAfter),
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
export function errorComponents(schemas: SchemaRegistry) {
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
