import { oauthError, type OAuthError } from '../oauth/oauth-error.ts';
import { redirectHost, redirectUriProblem } from './redirect-uri.ts';

/** An app that may ask employees to let it act for them. All are public: there is no client secret. */
export interface OAuthClient {
  readonly id: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly issuedAt: Date;
  /** When a client that nobody has allowed anything is forgotten; null for one that was, and for the operator's. */
  readonly forgetAt: Date | null;
}

export type ClientDetails = Pick<OAuthClient, 'name' | 'redirectUris'>;

const FORGOTTEN_AFTER_MS = 7 * 24 * 3600 * 1000;
const NAME_LENGTH_MAX = 128;
const REDIRECT_URIS_MAX = 20;
/** All redirect URIs of a client together; they are ASCII. */
const REDIRECT_URIS_BYTES_MAX = 8192;

/** A client of the kind anybody may register; forgotten unless it becomes a grant. */
export function registeredClient(id: string, details: ClientDetails, now: Date): OAuthClient {
  return { id, ...details, issuedAt: now, forgetAt: new Date(now.getTime() + FORGOTTEN_AFTER_MS) };
}

/** A client of the kind only the operator issues; it stays. */
export function issuedClient(id: string, details: ClientDetails, now: Date): OAuthClient {
  return { id, ...details, issuedAt: now, forgetAt: null };
}

/**
 * Reads what an app says of itself (RFC 7591 section 2). What we would not honour anyway is replaced, as the RFC allows;
 * an app that insists on a secret is refused, because it could never use one.
 */
export function readClientMetadata(
  metadata: unknown,
  options: { customSchemes: boolean },
): { readonly ok: true; readonly details: ClientDetails } | { readonly ok: false; readonly error: OAuthError } {
  if (!isObject(metadata)) return problem('invalid_client_metadata', 'the body must be a JSON object');
  const { redirect_uris: uris, client_name: name, token_endpoint_auth_method: method } = metadata;
  if (!isTexts(uris) || uris.length === 0)
    return problem('invalid_redirect_uri', 'redirect_uris must be a list with at least one address');
  if (uris.length > REDIRECT_URIS_MAX)
    return problem('invalid_redirect_uri', `redirect_uris must not have more than ${REDIRECT_URIS_MAX} addresses`);
  for (const [index, uri] of uris.entries()) {
    const wrong = redirectUriProblem(uri, options);
    if (wrong !== undefined) return problem('invalid_redirect_uri', `redirect_uris[${index}] ${wrong}`);
  }
  if (uris.reduce((bytes, { length }) => bytes + length, 0) > REDIRECT_URIS_BYTES_MAX)
    return problem(
      'invalid_redirect_uri',
      `redirect_uris must not be longer than ${REDIRECT_URIS_BYTES_MAX} bytes together`,
    );
  if (method !== undefined && method !== null && method !== 'none')
    return problem('invalid_client_metadata', 'token_endpoint_auth_method must be none');
  if (name !== undefined && name !== null && typeof name !== 'string')
    return problem('invalid_client_metadata', 'client_name must be a string');
  const shown = (name ?? '').trim() || redirectHost(uris[0] ?? '');
  if (shown.length > NAME_LENGTH_MAX)
    return problem('invalid_client_metadata', `client_name must not be longer than ${NAME_LENGTH_MAX} characters`);
  if (isUnreadable(shown)) return problem('invalid_client_metadata', 'client_name must be plain text');
  return { ok: true, details: { name: shown, redirectUris: [...new Set(uris)] } };
}

function problem(code: 'invalid_redirect_uri' | 'invalid_client_metadata', description: string) {
  return { ok: false, error: oauthError(code, description) } as const;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

/** Control and direction characters could make a name look like another one on the consent page. */
function isUnreadable(name: string): boolean {
  return /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name);
}
