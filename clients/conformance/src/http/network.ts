import { Agent, type IncomingMessage, request as requestHttp, type RequestOptions } from 'node:http';
import { Agent as SecureAgent, request as requestHttps } from 'node:https';
import type { Reply } from './reply.ts';

/** The path is sent as it stands: one that a client library would tidy up arrives untidied. */
export interface Outgoing {
  readonly method: string;
  /** Scheme, host and port, and where the API is below a path that too: `http://127.0.0.1:8080`. */
  readonly base: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** A request that was made, for those who want to know what a check has touched. */
export interface Made {
  readonly base: string;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
}

/** Sends the requests to a base through another address, that of a proxy. */
export interface Detour {
  readonly base: string;
  readonly via: string;
}

export interface NetworkOptions {
  readonly signal?: AbortSignal;
  readonly detour?: Detour;
  readonly connections: Connections;
}

const TIME_LIMIT_MS = 30_000;
const BODY_BYTES_MAX = 64 * 1024 * 1024;

/** Connections that stay open between requests, shared by all checks. */
export class Connections {
  readonly plain: Agent = new Agent({ keepAlive: true });
  readonly secure: SecureAgent = new SecureAgent({ keepAlive: true });

  close(): void {
    this.plain.destroy();
    this.secure.destroy();
  }
}

/** HTTP without a library that knows the API: nothing is added, retried or followed. */
export class Network {
  readonly made: Made[] = [];
  readonly #options: NetworkOptions;

  constructor(options: NetworkOptions) {
    this.#options = options;
  }

  async send(outgoing: Outgoing): Promise<Reply> {
    const { base, method, path } = outgoing;
    this.made.push({ base, method, path: path.split('?')[0]! });
    try {
      return await this.#exchange(outgoing);
    } catch (error) {
      // The server closed the connection just before; the request did not arrive.
      if (error instanceof StaleConnection) return await this.#exchange(outgoing);
      throw error;
    }
  }

  /** Where requests to an address really go; of WebSockets too. */
  addressOf(url: string): string {
    const { detour } = this.#options;
    if (!detour) return url;
    const [base, via] = [new URL(detour.base), new URL(detour.via)];
    const address = new URL(url);
    if (address.host !== base.host) return url;
    address.host = via.host;
    // Proxies of the kit speak no TLS.
    if (address.protocol === 'https:') address.protocol = 'http:';
    if (address.protocol === 'wss:') address.protocol = 'ws:';
    return address.href;
  }

  #exchange({ method, base, path, headers, body }: Outgoing): Promise<Reply> {
    const { signal, connections } = this.#options;
    const address = new URL(this.addressOf(base));
    const isSecure = address.protocol === 'https:';
    const options: RequestOptions = {
      method,
      hostname: address.hostname.replace(/^\[|\]$/g, ''),
      port: address.port,
      path: address.pathname.replace(/\/$/, '') + path,
      headers: {
        Host: new URL(base).host,
        ...(body !== undefined && { 'Content-Length': String(Buffer.byteLength(body)) }),
        ...headers,
      },
      agent: isSecure ? connections.secure : connections.plain,
      signal: AbortSignal.any([AbortSignal.timeout(TIME_LIMIT_MS), ...(signal ? [signal] : [])]),
    };
    return new Promise((resolve, reject) => {
      const request = (isSecure ? requestHttps : requestHttp)(options, (response) => {
        read(response).then((bytes) => resolve(toReply(`${method} ${base}${path}`, response, bytes)), reject);
      });
      request.on('error', (error: NodeJS.ErrnoException) => {
        const isStale = request.reusedSocket && error.code === 'ECONNRESET';
        reject(
          isStale ? new StaleConnection() : new Error(`${method} ${base}${path}: ${error.message}`, { cause: error }),
        );
      });
      request.end(body);
    });
  }
}

class StaleConnection extends Error {}

async function read(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > BODY_BYTES_MAX) throw new Error(`an answer of more than ${BODY_BYTES_MAX} bytes`);
  }
  return Buffer.concat(chunks);
}

function toReply(request: string, response: IncomingMessage, bytes: Buffer): Reply {
  const headers = new Headers();
  for (let index = 0; index < response.rawHeaders.length; index += 2)
    headers.append(response.rawHeaders[index]!, response.rawHeaders[index + 1]!);
  const text = bytes.toString('utf8');
  const isJson = (headers.get('content-type') ?? '').includes('json') && text !== '';
  return { request, status: response.statusCode ?? 0, headers, bytes, text, body: isJson ? parsed(text) : undefined };
}

/** What says that it is JSON and is not has no value; the text is there. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
