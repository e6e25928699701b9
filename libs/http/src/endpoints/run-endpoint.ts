import { authorize } from './access.ts';
import type { Endpoint, EndpointInput } from './endpoint.ts';
import { inputChecker, type InputUnderCheck } from './endpoint-input.ts';
import type { EndpointResponse } from '../responses/response.ts';

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
