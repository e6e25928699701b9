import type { ServerResponse } from 'node:http';
import { Refused } from '@parley/errors';
import type { Request, Response } from 'express';
import type { z } from 'zod';
import { type Endpoint, type EndpointInput, authorizeFields, authorize } from './endpoint.ts';
import { HttpError, notFoundResponse } from '../responses/error-responses.ts';
import { formFieldsOf, readForm } from '../input/form-fields.ts';
import {
  type FieldProblems,
  fieldsRefusal,
  flatRecord,
  type InputPart,
  type Validated,
  validate,
} from '../input/validation.ts';
import type { EndpointResponse } from '../responses/response.ts';

/** The input of a request before validation. */
export interface RawInput {
  readonly params: Readonly<Record<string, string | string[]>>;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

type CheckedInput<Context> = EndpointInput<Context, unknown, unknown, unknown, unknown>;

/** The part of an input that checking fills in. */
export type InputUnderCheck<Context> = {
  -readonly [Part in 'params' | 'query' | 'headers' | 'body' | 'form']: CheckedInput<Context>[Part];
} & Pick<CheckedInput<Context>, 'context' | 'request' | 'requestId' | 'signal'>;

/** Reads and checks everything an endpoint declares; what does not fit is thrown as a refusal. */
export function inputReader<Context>(endpoint: Endpoint<Context>) {
  const check = inputChecker(endpoint);
  return (request: Request, response: Response): Promise<CheckedInput<Context>> => {
    const { params, headers } = request;
    // The app's query parser makes it so.
    const query = request.query as unknown as URLSearchParams;
    return check({ params, query, headers, body: request.body as unknown }, new Input<Context>(request, response));
  };
}

/** The same, whatever way the input came. */
function inputChecker<Context>(endpoint: Endpoint<Context>) {
  const { params, query, headers, body } = endpoint;
  const queryNames = Object.keys(query?.shape ?? {});
  const formFields = formFieldsOf(body);

  return async (raw: RawInput, input: InputUnderCheck<Context>): Promise<CheckedInput<Context>> => {
    if (hasNul(raw.params)) throw notFound();
    if (params !== undefined) input.params = accept(endpoint, 'params', validate(params, raw.params));
    if (query !== undefined)
      input.query = accept(endpoint, 'query', validateRead(query, flatRecord(raw.query, queryNames)));
    if (headers !== undefined) input.headers = accept(endpoint, 'headers', validate(headers, raw.headers));
    if (body === 'bytes' || body === 'stream') {
      input.body = raw.body ?? Buffer.alloc(0);
      return input;
    }
    if (raw.body instanceof URLSearchParams) input.form = raw.body;
    if (body === undefined) return input;
    const given = input.form ? readForm(input.form, formFields) : { value: raw.body };
    const value = 'value' in given ? given.value : {};
    // Also of a form that cannot be read, and of fields that no schema has: the names decide.
    const names = input.form && Object.fromEntries([...input.form.keys()].map((name) => [name, undefined]));
    authorizeFields(endpoint, input.context, input.params, names ? { ...names, ...(value as object) } : value);
    const validated = validateRead(body, given);
    if ('fields' in validated && endpoint.beforeRefusing !== undefined) {
      const { params: named, context } = input;
      const rejectedBody = 'value' in given ? given.value : {};
      const more = await endpoint.beforeRefusing({ params: named, context, rejectedBody });
      throw inputError(endpoint, 'body', { ...validated.fields, ...more });
    }
    input.body = accept(endpoint, 'body', validated);
    return input;
  };
}

/** A class, because `signal` is created lazily and this is constructed for every request. */
class Input<Context> implements EndpointInput<Context, unknown, unknown, unknown, unknown> {
  params: unknown;
  query: unknown;
  headers: unknown;
  body: unknown;
  form: URLSearchParams | undefined;
  readonly context: Context;
  readonly request: Request;
  readonly requestId: string;
  readonly #response: ServerResponse;
  #signal: AbortSignal | undefined;

  constructor(request: Request, response: Response) {
    this.params = request.params;
    this.context = response.locals.context as Context;
    this.request = request;
    this.requestId = response.locals.requestId;
    this.#response = response;
  }

  get signal(): AbortSignal {
    this.#signal ??= disconnectSignal(this.#response);
    return this.#signal;
  }
}

function disconnectSignal(response: ServerResponse): AbortSignal {
  if (response.destroyed) return AbortSignal.abort();
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}

function hasNul(params: RawInput['params']): boolean {
  for (const name in params) if (params[name]?.includes('\0')) return true;
  return false;
}

function validateRead(schema: z.ZodType, read: Validated<unknown>): Validated<unknown> {
  return 'fields' in read ? read : validate(schema, read.value);
}

function accept<Context>(endpoint: Endpoint<Context>, part: InputPart, validated: Validated<unknown>): unknown {
  if ('value' in validated) return validated.value;
  throw inputError(endpoint, part, validated.fields);
}

function inputError<Context>(endpoint: Endpoint<Context>, part: InputPart, fields: FieldProblems): Error {
  const own = endpoint.inputError?.({ part, fields });
  if (own !== undefined) return own instanceof HttpError ? own : new Refused(own);
  return part === 'params' ? notFound() : new Refused(fieldsRefusal(fields));
}

function notFound(): HttpError {
  return new HttpError(notFoundResponse.status, notFoundResponse.body);
}

/** A request for an endpoint that did not come as one. */
export interface EndpointRequest<Context> {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: unknown;
  readonly context: Context;
  readonly requestId: string;
  readonly signal: AbortSignal;
}

/**
 * Runs an endpoint without HTTP: who may use it, its own checks, then its handler. What it throws becomes the body of a response with
 * `errorResponse`, as it does on HTTP.
 */
export async function runEndpoint<Context>(
  endpoint: Endpoint<Context>,
  { params, query, body, context, requestId, signal }: EndpointRequest<Context>,
): Promise<EndpointResponse> {
  authorize(endpoint, context, params);
  const input: InputUnderCheck<Context> = {
    params,
    query: undefined,
    headers: undefined,
    body: undefined,
    form: undefined,
    context,
    requestId,
    signal,
    get request(): EndpointInput<Context, unknown, unknown, unknown, unknown>['request'] {
      throw new Error(`${endpoint.method} ${endpoint.path} needs an HTTP request`);
    },
  };
  return endpoint.handle(await inputChecker(endpoint)({ params, query, headers: {}, body }, input));
}
