import type { Network } from './network.ts';
import { PendingReply, type Reply } from './reply.ts';

type Headers = Readonly<Record<string, string>>;

export interface RequestOptions {
  readonly headers?: Headers;
  /** A value is sent as JSON, text and bytes as they are. */
  readonly body?: unknown;
}

/** Requests below one address with the same headers. */
export class ApiClient {
  readonly network: Network;
  readonly base: string;
  readonly prefix: string;
  readonly headers: Headers;

  constructor(network: Network, base: string, prefix: string, headers: Headers = {}) {
    this.network = network;
    this.base = base;
    this.prefix = prefix;
    this.headers = headers;
  }

  get(path: string, headers?: Headers): PendingReply {
    return this.send('GET', path, { headers });
  }

  post(path: string, body?: unknown, headers?: Headers): PendingReply {
    return this.send('POST', path, { body, headers });
  }

  put(path: string, body?: unknown, headers?: Headers): PendingReply {
    return this.send('PUT', path, { body, headers });
  }

  patch(path: string, body?: unknown, headers?: Headers): PendingReply {
    return this.send('PATCH', path, { body, headers });
  }

  delete(path: string, headers?: Headers): PendingReply {
    return this.send('DELETE', path, { headers });
  }

  /** A form, as HTML pages and OAuth clients send it. */
  postForm(path: string, fields: Readonly<Record<string, string>> | URLSearchParams, headers?: Headers): PendingReply {
    return this.send('POST', path, {
      body: new URLSearchParams(fields).toString(),
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
    });
  }

  send(method: string, path: string, options: RequestOptions = {}): PendingReply {
    return new PendingReply((resolve, reject) => {
      this.exchange(method, path, options).then(resolve, reject);
    });
  }

  protected exchange(method: string, path: string, { body, headers }: RequestOptions): Promise<Reply> {
    const isRaw = typeof body === 'string' || body instanceof Uint8Array;
    return this.network.send({
      method,
      base: this.base,
      path: this.prefix + path,
      headers: {
        ...this.headers,
        ...(body !== undefined && !isRaw && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: isRaw ? body : JSON.stringify(body) }),
    });
  }
}
