import type { IncomingMessage, ServerResponse } from 'node:http';
import { Refused } from '@parley/errors';
import type { z } from 'zod';
import { type Body, readBody, readBytes } from './body.ts';
import type { CompiledEndpoint } from './compiled-endpoint.ts';
import { HttpError, notFoundResponse } from './error-responses.ts';
import type { Endpoint, EndpointInput } from './endpoint.ts';
import {
  type FieldProblems,
  fieldsRefusal,
  flatRecord,
  type InputPart,
  type Validated,
  validate,
} from './validation.ts';

/** One request on its way to a handler. */
export interface Arrival<Context> {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  readonly parameters: readonly string[];
  /** What followed the question mark. */
  readonly query: string;
  readonly context: Context;
}

/** Reads and checks everything a route declares; what does not fit is thrown as a refusal. */
export async function readInput<Context>(
  endpoint: CompiledEndpoint<Context>,
  arrival: Arrival<Context>,
  bodyBytesMax: number,
): Promise<EndpointInput<Context, unknown, unknown, unknown, unknown>> {
  const { endpoint: route } = endpoint;
  const input = new Input(arrival);
  input.params = paramsOf(endpoint, arrival.parameters);
  if (route.query !== undefined) {
    const flat = flatRecord(new URLSearchParams(arrival.query), endpoint.queryNames);
    input.query = accept(route, 'query', validateFlat(route.query, flat));
  }
  if (route.headers !== undefined) {
    input.headers = accept(route, 'headers', validate(route.headers, arrival.request.headers));
  }
  if (!endpoint.takesBody) return input;
  const bytesMax = route.bodyBytesMax ?? bodyBytesMax;
  if (route.body === 'bytes') {
    input.body = await readBytes(arrival.request, bytesMax);
    return input;
  }
  // Read even where no schema asks for it: a broken body is refused by every path alike.
  const body = await readBody(arrival.request, bytesMax);
  if (body.kind === 'form') input.form = body.fields;
  if (route.body !== undefined) {
    const validated = validateBody(route.body, body, endpoint.formNames);
    if ('fields' in validated) await route.beforeRefusing?.(input);
    input.body = accept(route, 'body', validated);
  }
  return input;
}

/** A class, because `signal` must cost nothing until someone asks for it and this is made for every request. */
class Input<Context> implements EndpointInput<Context, unknown, unknown, unknown, unknown> {
  params: unknown;
  query: unknown;
  headers: unknown;
  body: unknown;
  form: URLSearchParams | undefined;
  readonly context: Context;
  readonly request: IncomingMessage;
  readonly requestId: string;
  readonly #response: ServerResponse;
  #signal: AbortSignal | undefined;

  constructor({ context, request, requestId, response }: Arrival<Context>) {
    this.context = context;
    this.request = request;
    this.requestId = requestId;
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

function paramsOf<Context>(
  { endpoint: route, parameterNames }: CompiledEndpoint<Context>,
  values: readonly string[],
): unknown {
  const params: Record<string, string> = {};
  for (let i = 0; i < parameterNames.length; i++) params[parameterNames[i] as string] = values[i] as string;
  return route.params === undefined ? params : accept(route, 'params', validate(route.params, params));
}

function validateBody(schema: z.ZodType, body: Body, names: readonly string[] | undefined): Validated<unknown> {
  if (body.kind === 'json') return validate(schema, body.value);
  return validateFlat(schema, flatRecord(body.fields, names));
}

function validateFlat(schema: z.ZodType, flat: Validated<Record<string, string>>): Validated<unknown> {
  return 'fields' in flat ? flat : validate(schema, flat.value);
}

function accept<Context>(route: Endpoint<Context>, part: InputPart, validated: Validated<unknown>): unknown {
  if ('value' in validated) return validated.value;
  throw inputError(route, part, validated.fields);
}

function inputError<Context>(route: Endpoint<Context>, part: InputPart, fields: FieldProblems): Error {
  const own = route.inputError?.({ part, fields });
  if (own !== undefined) return own instanceof HttpError ? own : new Refused(own);
  if (part === 'params') return new HttpError(notFoundResponse.status, notFoundResponse.body);
  return new Refused(fieldsRefusal(fields));
}
