import type { TypedEventMethods } from './events/event-methods.ts';
import { type EventSource, follow, type FollowOptions } from './events/follow.ts';
import { socketOpener } from './events/source.ts';
import { OPERATIONS } from './generated/operations.ts';
import type { Resources } from './generated/resources.ts';
import type { RawRequest } from './http-client.ts';
import { tokenCredential, type OAuthOptions } from './oauth/token-credential.ts';
import { requestTokens } from './oauth/token-endpoint.ts';
import { bindOperations, readPages } from './resources.ts';
import { clientSettings, type ClientSettings, type ConnectionOptions, environment, isBrowser } from './settings.ts';
import { apiKeyCredential, type Credential } from './transport/credential.ts';
import { type ApiResponse, Transport } from './transport/transport.ts';

/** An API key or the tokens of an app; the key of the environment without both. */
export interface ParleyOptions extends ConnectionOptions {
  /** Default: `PARLEY_API_KEY`. */
  readonly apiKey?: string | undefined;
  /** Instead of a key: the tokens that an employee gave an app. */
  readonly oauth?: OAuthOptions | undefined;
  /** For `events.follow`; default: that of the runtime. */
  readonly WebSocket?: unknown;
}

const API_PREFIX = '/api/v1';

/** A client of the API. Its methods are in groups, such as `parley.contacts.list()`. */
export class Parley extends (class {} as new () => Omit<Resources, 'events'>) {
  declare readonly events: Omit<Resources['events'], keyof TypedEventMethods> & TypedEventMethods;
  readonly #transport: Transport;

  constructor(options: ParleyOptions = {}) {
    super();
    const settings = clientSettings(options);
    const credential = credentialOf(options, settings);
    const transport = new Transport({ ...settings, credential });
    this.#transport = transport;
    const resources = bindOperations(OPERATIONS, (request) => transport.send(request)) as {
      readonly events: Pick<TypedEventMethods, 'list'>;
    };
    const { WebSocket: socket = (globalThis as { WebSocket?: unknown }).WebSocket } = options;
    const source: EventSource = {
      prepareSocket: socketOpener(settings.baseUrl, credential, { socket, inBrowser: isBrowser() }),
      list: resources.events.list,
    };
    const events = { ...resources.events, follow: (following: FollowOptions = {}) => follow(following, source) };
    Object.assign(this, resources, { events });
  }

  /** Any request: `path` is below `/api/v1`. The body of the response is parsed if it is JSON. */
  request<Body = unknown>(method: string, path: string, options: RawRequest = {}): Promise<ApiResponse<Body>> {
    if (!path.startsWith('/')) throw new TypeError('path must begin with a slash, such as /contacts');
    const request = { ...options, method: method.toUpperCase(), path: `${API_PREFIX}${path}`, accept: 'any' } as const;
    return this.#transport.send(request) as Promise<ApiResponse<Body>>;
  }

  /** The responses with all pages of any list: `path` is below `/api/v1`. Pages are read when the loop gets there. */
  pages<Body = unknown>(path: string, options: Omit<RawRequest, 'body'> = {}): AsyncGenerator<ApiResponse<Body>> {
    const request = (page: RawRequest) => this.request<Body>('GET', path, page);
    return readPages(OPERATIONS, path, options, request);
  }

  /** How Node.js shows it: without its methods, and never with a key. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return 'Parley {}';
  }
}

function credentialOf({ apiKey, oauth }: ParleyOptions, settings: ClientSettings): Credential {
  if (apiKey !== undefined && oauth !== undefined) throw new TypeError('apiKey and oauth are alternatives');
  if (oauth === undefined) {
    const key = apiKey ?? environment('PARLEY_API_KEY');
    if (key === undefined) throw new TypeError('apiKey is missing: pass it, or set PARLEY_API_KEY');
    return apiKeyCredential(key);
  }
  const { clientId, tokens, onTokens, renewTokens } = oauth;
  const refresh = (refreshToken: string) =>
    requestTokens(settings, { grant_type: 'refresh_token', client_id: clientId, refresh_token: refreshToken });
  return tokenCredential({ tokens, onTokens, renewTokens, refresh });
}
