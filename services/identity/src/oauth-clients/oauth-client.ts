import { oauthError, type OAuthError } from '../oauth-protocol/oauth-error.ts';
import { redirectHost, redirectUriProblem } from './redirect-uri.ts';

/** An app that can request access on behalf of employees. All clients are public: there is no client secret. */
export interface OAuthClient {
  readonly id: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
  /** It may use the device authorization grant; absent of clients that may not. */
  readonly deviceGrant?: boolean;
  readonly issuedAt: Date;
  /** When a client without a grant is deleted; null for one with a grant, and for the operator's. */
  readonly forgetAt: Date | null;
}

export type ClientDetails = Pick<OAuthClient, 'name' | 'redirectUris'>;

const FORGOTTEN_AFTER_MS = 7 * 24 * 3600 * 1000;
const NAME_LENGTH_MAX = 128;
/** All redirect URIs of a client together; they are ASCII. */
const REDIRECT_URIS_BYTES_MAX = 8192;

/** A client by open registration; deleted unless it gets a grant. */
export function registeredClient(id: string, details: ClientDetails, now: Date): OAuthClient {
  return { id, ...details, issuedAt: now, forgetAt: new Date(now.getTime() + FORGOTTEN_AFTER_MS) };
}

/** A client of the kind only the operator issues; it stays. */
export function issuedClient(
  id: string,
  { deviceGrant = false, ...details }: ClientDetails & { deviceGrant?: boolean },
  now: Date,
): OAuthClient {
  return { id, ...details, ...(deviceGrant && { deviceGrant }), issuedAt: now, forgetAt: null };
}

/** Clients that every installation has. The command line without a browser; with one it registers itself. */
export const builtInClients: ReadonlyMap<string, OAuthClient> = new Map(
  [{ id: 'parley-cli', name: 'Parley command line', redirectUris: [], deviceGrant: true }].map((client) => [
    client.id,
    { ...client, issuedAt: new Date(0), forgetAt: null },
  ]),
);

/** The metadata of an app. */
export interface ClientMetadata {
  readonly redirectUris: readonly string[];
  readonly clientName?: string | undefined;
}

/** Checks the metadata of an app (RFC 7591 section 2). Without a name it is shown by the host of its redirect address. */
export function readClientMetadata(
  { redirectUris: uris, clientName = '' }: ClientMetadata,
  options: { customSchemes: boolean },
): { readonly ok: true; readonly details: ClientDetails } | { readonly ok: false; readonly error: OAuthError } {
  for (const [index, uri] of uris.entries()) {
    const wrong = redirectUriProblem(uri, options);
    if (wrong !== undefined) return problem('invalid_redirect_uri', `redirect_uris[${index}] ${wrong}`);
  }
  if (uris.reduce((bytes, { length }) => bytes + length, 0) > REDIRECT_URIS_BYTES_MAX)
    return problem(
      'invalid_redirect_uri',
      `redirect_uris must not be longer than ${REDIRECT_URIS_BYTES_MAX} bytes together`,
    );
  const shown = clientName.trim() || redirectHost(uris[0] ?? '').slice(0, NAME_LENGTH_MAX);
  if (isUnreadable(shown)) return problem('invalid_client_metadata', 'client_name must be plain text');
  return { ok: true, details: { name: shown, redirectUris: [...new Set(uris)] } };
}

function problem(code: 'invalid_redirect_uri' | 'invalid_client_metadata', description: string) {
  return { ok: false, error: oauthError(code, description) } as const;
}

/** Control and direction characters could disguise a name on the consent page. */
function isUnreadable(name: string): boolean {
  return /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name);
}
