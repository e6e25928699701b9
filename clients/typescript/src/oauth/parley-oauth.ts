import { AuthenticationError, ConnectionError, ParleyError, RateLimitError, ServerError } from '../errors.ts';
import { clientSettings, type ClientSettings, type ConnectionOptions } from '../settings.ts';
import { sleep } from '../transport/waiting.ts';
import { Transport } from '../transport/transport.ts';
import { codeChallenge, randomText } from './pkce.ts';
import { postForm, requestTokens } from './token-endpoint.ts';
import type { OAuthTokens } from './tokens.ts';

export interface ParleyOAuthOptions extends ConnectionOptions {
  /** From `register`, or from the operator. */
  readonly clientId?: string | undefined;
  /** Exactly as it was registered. */
  readonly redirectUri?: string | undefined;
}

/** What an app says about itself. */
export interface ClientRegistration {
  readonly redirect_uris: readonly string[];
  /** What the employee reads on the consent page. */
  readonly client_name?: string;
}

export interface RegisteredClient {
  readonly client_id: string;
  readonly [field: string]: unknown;
}

/** An authorization that has begun. It holds a secret: keep it on the server, or in the session of the browser that began it. */
export interface PendingAuthorization {
  /** Where to send the browser. */
  readonly url: string;
  readonly state: string;
  readonly codeVerifier: string;
}

/** A program without a browser waits for the employee. */
export interface DeviceAuthorization {
  /** What the employee enters at `verification_uri`. */
  readonly user_code: string;
  readonly verification_uri: string;
  readonly verification_uri_complete?: string;
  /** Seconds. */
  readonly expires_in: number;
  /** Waits until the employee has decided; an error when they have not, or did not allow it. */
  tokens(options?: { readonly signal?: AbortSignal }): Promise<OAuthTokens>;
}

/** How many authorizations an instance remembers; the oldest is forgotten for a new one. */
const PENDING_MAX = 1000;
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
/** RFC 8628, section 3.2 and 3.5. */
const DEVICE_INTERVAL_SECS = 5;
const SLOW_DOWN_SECS = 5;
const DEVICE_INTERVAL_SECS_MAX = 60;
const DEVICE_EXPIRY_SECS = 600;
const DEVICE_EXPIRY_SECS_MAX = 3600;

/** How an app gets tokens of an employee: authorization code with PKCE, or the device grant. */
export class ParleyOAuth {
  readonly #settings: ClientSettings;
  readonly #redirectUri: string | undefined;
  readonly #pending = new Map<string, PendingAuthorization>();
  #clientId: string | undefined;

  constructor(options: ParleyOAuthOptions = {}) {
    this.#settings = clientSettings(options);
    this.#clientId = options.clientId;
    this.#redirectUri = options.redirectUri;
  }

  /** The id of this app, once it is known. */
  get clientId(): string | undefined {
    return this.#clientId;
  }

  /** Registers the app (RFC 7591); this instance uses the new id from then on. */
  async register(registration: ClientRegistration): Promise<RegisteredClient> {
    const transport = new Transport({ ...this.#settings, credential: undefined });
    const request = { method: 'POST', path: '/oauth/register', body: registration, accept: 'json' } as const;
    const body = (await transport.send(request)).body as RegisteredClient;
    if (typeof body.client_id !== 'string') throw new ServerError('the response to a registration has no client_id');
    this.#clientId = body.client_id;
    return body;
  }

  /** Begins an authorization: send the browser to `url`. */
  async authorizationUrl(): Promise<PendingAuthorization> {
    const [state, codeVerifier] = [randomText(), randomText()];
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: this.#requireClientId(),
      redirect_uri: this.#requireRedirectUri(),
      scope: 'api',
      state,
      code_challenge: await codeChallenge(codeVerifier),
      code_challenge_method: 'S256',
    });
    const pending = { url: `${this.#settings.baseUrl}/oauth/authorize?${query}`, state, codeVerifier };
    if (this.#pending.size >= PENDING_MAX) this.#pending.delete(this.#pending.keys().next().value!);
    this.#pending.set(state, pending);
    return pending;
  }

  /**
   * Ends an authorization: `url` is the address at which the browser came back. It is checked that it answers an authorization of
   * this instance (or `begun`, when another process has begun it) and comes from this service (RFC 9207); then the code is redeemed.
   */
  async callback(
    url: string | URL,
    begun?: Pick<PendingAuthorization, 'state' | 'codeVerifier'>,
  ): Promise<OAuthTokens> {
    const { searchParams: query } = new URL(url, this.#redirectUri);
    const pending = begun ?? this.#pending.get(query.get('state') ?? '');
    if (!pending || query.get('state') !== pending.state) throw refused('invalid_state', 'the state is not ours');
    this.#pending.delete(pending.state);
    if (query.get('iss') !== this.#settings.baseUrl) throw refused('invalid_issuer', 'another service has answered');
    const error = query.get('error');
    if (error !== null) throw refused(error, query.get('error_description') ?? error);
    const code = query.get('code');
    if (!code) throw refused('invalid_response', 'the address has no code');
    return requestTokens(this.#settings, {
      grant_type: 'authorization_code',
      client_id: this.#requireClientId(),
      redirect_uri: this.#requireRedirectUri(),
      code,
      code_verifier: pending.codeVerifier,
    });
  }

  /** New tokens for a refresh token, which is spent by it. */
  refresh(refreshToken: string): Promise<OAuthTokens> {
    return requestTokens(this.#settings, {
      grant_type: 'refresh_token',
      client_id: this.#requireClientId(),
      refresh_token: refreshToken,
    });
  }

  /** Ends a grant with its refresh token, or one access token. */
  async revoke(token: string): Promise<void> {
    await postForm(this.#settings, '/oauth/revoke', { token, client_id: this.#requireClientId() });
  }

  /** Begins the device grant (RFC 8628), for programs without a browser. */
  async deviceAuthorization(): Promise<DeviceAuthorization> {
    const client = { client_id: this.#requireClientId() };
    const form = { ...client, scope: 'api' };
    const answer = (await postForm(this.#settings, '/oauth/device_authorization', form)) as Record<string, unknown>;
    const { device_code: deviceCode, interval, ...shown } = answer;
    if (typeof deviceCode !== 'string') throw new ServerError('the response has no device code');
    const poll = (signal: AbortSignal | undefined) =>
      requestTokens(this.#settings, { ...client, grant_type: DEVICE_GRANT, device_code: deviceCode }, signal);
    return {
      ...(shown as unknown as Omit<DeviceAuthorization, 'tokens'>),
      tokens: ({ signal } = {}) => pollTokens(() => poll(signal), { interval, expiresIn: shown['expires_in'] }, signal),
    };
  }

  #requireClientId(): string {
    if (this.#clientId === undefined) throw new TypeError('clientId is missing: pass it, or register first');
    return this.#clientId;
  }

  #requireRedirectUri(): string {
    if (this.#redirectUri === undefined) throw new TypeError('redirectUri is missing');
    return this.#redirectUri;
  }
}

async function pollTokens(
  poll: () => Promise<OAuthTokens>,
  { interval, expiresIn }: { readonly interval: unknown; readonly expiresIn: unknown },
  signal: AbortSignal | undefined,
): Promise<OAuthTokens> {
  const until = performance.now() + 1000 * secsOf(expiresIn, DEVICE_EXPIRY_SECS, DEVICE_EXPIRY_SECS_MAX);
  for (let waitSecs = secsOf(interval, DEVICE_INTERVAL_SECS, DEVICE_INTERVAL_SECS_MAX); ;) {
    await sleep(waitSecs * 1000, signal);
    if (performance.now() > until) throw refused('expired_token', 'the employee has not decided in time');
    try {
      return await poll();
    } catch (error) {
      const code = error instanceof ParleyError ? error.code : undefined;
      if (code === 'slow_down') waitSecs = Math.min(waitSecs + SLOW_DOWN_SECS, DEVICE_INTERVAL_SECS_MAX);
      else if (isPassing(error)) waitSecs = Math.min(waitSecs * 2, DEVICE_INTERVAL_SECS_MAX);
      else if (code !== 'authorization_pending') throw error;
    }
  }
}

/** RFC 8628, section 3.5: a lost connection, or a service that is away, does not end the authorization; the program asks less often. */
function isPassing(error: unknown): boolean {
  if (error instanceof ConnectionError || error instanceof RateLimitError) return true;
  return error instanceof ServerError && (error.status ?? 0) >= 500;
}

function secsOf(value: unknown, otherwise: number, max: number): number {
  return typeof value === 'number' && value > 0 ? Math.min(value, max) : otherwise;
}

function refused(code: string, message: string): AuthenticationError {
  return new AuthenticationError(message, { code });
}
