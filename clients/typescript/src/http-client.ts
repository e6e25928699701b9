import { clientSettings, type ConnectionOptions } from './settings.ts';
import { bearerCredential } from './transport/credential.ts';
import { type ApiResponse, type QueryValue, type RequestOptions, Transport } from './transport/transport.ts';

export interface HttpClientOptions extends ConnectionOptions {
  /** Sent as `Authorization: Bearer`. */
  readonly token?: string | undefined;
}

/** The input of a request that has no method of its own. */
export interface RawRequest extends RequestOptions {
  readonly query?: Readonly<Record<string, QueryValue>> | undefined;
  readonly body?: unknown;
}

/** Requests to what is beside the API, such as its documents, the operator API and the sandbox, with the same time limits, retries and errors. */
export class HttpClient {
  readonly #transport: Transport;

  constructor({ token, ...options }: HttpClientOptions = {}) {
    const credential = token === undefined ? undefined : bearerCredential(token);
    this.#transport = new Transport({ ...clientSettings(options), credential });
  }

  /** `path` is below the base address. The body of the response is parsed if it is JSON. */
  request<Body = unknown>(method: string, path: string, options: RawRequest = {}): Promise<ApiResponse<Body>> {
    if (!path.startsWith('/')) throw new TypeError('path must begin with a slash');
    const request = { ...options, method: method.toUpperCase(), path, accept: 'any' } as const;
    return this.#transport.send(request) as Promise<ApiResponse<Body>>;
  }
}
