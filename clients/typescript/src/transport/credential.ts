/** What a request authenticates with. */
export interface Credential {
  /** The headers of a request, once they may be used. */
  headers(): Promise<Readonly<Record<string, string>>>;
  /** Called after a 401 for a request with `used`: resolves to true when it can be repeated with other headers. */
  renew(used: Readonly<Record<string, string>>): Promise<boolean>;
  /** Removes the secrets of this credential from a text of the service. */
  redact(text: string): string;
  /** `headers` has an access token, which may also be sent in an address. */
  readonly hasToken: boolean;
}

/** Visible ASCII: what a header can have. An error must not show the value. */
export function requireHeaderValue(value: unknown, name: string): string {
  if (typeof value === 'string' && /^[\x21-\x7e]+$/.test(value)) return value;
  throw new TypeError(`${name} is not a text of visible ASCII characters without spaces`);
}

/** The text with every occurrence of the secrets replaced. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, '[redacted]'), text);
}

/** A token that is not renewed. */
export function bearerCredential(token: string): Credential {
  const secret = requireHeaderValue(token, 'token');
  return {
    headers: () => Promise.resolve({ Authorization: `Bearer ${secret}` }),
    renew: () => Promise.resolve(false),
    redact: (text) => withoutSecrets(text, [secret]),
    hasToken: true,
  };
}

/** An API key. */
export function apiKeyCredential(apiKey: string): Credential {
  const key = requireHeaderValue(apiKey, 'apiKey');
  return {
    headers: () => Promise.resolve({ 'X-Api-Key': key }),
    renew: () => Promise.resolve(false),
    redact: (text) => withoutSecrets(text, [key]),
    hasToken: false,
  };
}
