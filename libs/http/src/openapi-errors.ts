import { z } from 'zod';
import type { OpenApiDocument, ResponseEntry } from './openapi-document.ts';
import type { SchemaBook } from './openapi-schemas.ts';

const requestId = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } };
const retryAfter = { ...requestId, 'Retry-After': { $ref: '#/components/headers/RetryAfter' } };
const challenge = { ...requestId, 'WWW-Authenticate': { $ref: '#/components/headers/Challenge' } };

/** Header fields of every answer. */
export const RESPONSE_HEADERS: NonNullable<ResponseEntry['headers']> = requestId;

interface ErrorEntry {
  readonly name: string;
  readonly description: string;
  readonly headers: NonNullable<ResponseEntry['headers']>;
}

/** The errors that many operations share, as components of the document. */
export const ERROR_RESPONSES: Readonly<Record<number, ErrorEntry>> = {
  400: { name: 'BadRequest', description: 'The request cannot be understood.', headers: requestId },
  401: { name: 'Unauthorized', description: 'No credential, or one that does not hold.', headers: challenge },
  403: { name: 'Forbidden', description: 'Not for this caller.', headers: requestId },
  404: { name: 'NotFound', description: 'Unknown, or not of this company.', headers: requestId },
  409: { name: 'Conflict', description: 'Not possible as things stand.', headers: requestId },
  413: { name: 'PayloadTooLarge', description: 'The body is over 1 MiB.', headers: requestId },
  415: { name: 'UnsupportedMediaType', description: 'The body is neither JSON nor a form.', headers: requestId },
  422: { name: 'Invalid', description: 'Understood, and wrong: `errors` names the fields.', headers: requestId },
  429: { name: 'TooManyRequests', description: 'Too much, too fast.', headers: retryAfter },
  500: { name: 'InternalError', description: 'Our fault; `request_id` finds it in the logs.', headers: requestId },
  502: { name: 'Unreachable', description: 'A part that is needed did not answer.', headers: requestId },
  503: { name: 'Unavailable', description: 'Not for the moment; try again.', headers: retryAfter },
};

const errorBody = z
  .object({
    error: z.string().describe('A code, or a sentence where no code is defined.'),
    code: z.string().optional().describe('The code, where one is defined.'),
    request_id: z.string().optional().describe('With 500 and 503.'),
  })
  .meta({ id: 'Error', description: 'What went wrong; some codes add fields of their own.' });

const validationErrorBody = z
  .object({
    error: z.string().describe('One sentence for a person.'),
    code: z.string().describe('`validation_failed`, or a code of the operation.'),
    errors: z.record(z.string(), z.array(z.string())).optional(),
  })
  .meta({
    id: 'ValidationError',
    description: 'Field paths, such as `menu_options[1].digit`, to what is wrong there.',
  });

/** The components of a document: everything the book holds, the shared errors and their headers. */
export function errorComponents(book: SchemaBook): OpenApiDocument['components'] {
  const error = book.describe(errorBody, 'output');
  const validationError = book.describe(validationErrorBody, 'output');
  const responses = Object.entries(ERROR_RESPONSES).map(([status, { name, description, headers }]) => [
    name,
    { description, headers, content: { 'application/json': { schema: status === '422' ? validationError : error } } },
  ]);
  return {
    schemas: book.components(),
    responses: Object.fromEntries(responses),
    headers: {
      RequestId: { description: "The caller's own `X-Request-Id`, or a new one.", schema: { type: 'string' } },
      RetryAfter: { description: 'Seconds to wait before the next try.', schema: { type: 'integer' } },
      Challenge: { description: 'How to authenticate (RFC 6750).', schema: { type: 'string' } },
    },
  };
}
