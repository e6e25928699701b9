import { ServerError } from '../errors.ts';
import { withoutSecrets, type Credential } from '../transport/credential.ts';
import { Transport, type TransportOptions } from '../transport/transport.ts';
import type { OAuthTokens } from './tokens.ts';

/** Sends a form to an OAuth endpoint. Its values are secrets: no error may contain what the service repeats of them. */
export async function postForm(
  options: Omit<TransportOptions, 'credential'>,
  path: string,
  form: Readonly<Record<string, string>>,
  signal?: AbortSignal,
): Promise<unknown> {
  const transport = new Transport({ ...options, credential: redacting(form) });
  const { body } = await transport.send({
    method: 'POST',
    path,
    body: new URLSearchParams(form),
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    accept: 'json',
    signal,
  });
  return body;
}

/** Tokens from the token endpoint. */
export async function requestTokens(
  options: Omit<TransportOptions, 'credential'>,
  form: Readonly<Record<string, string>>,
  signal?: AbortSignal,
): Promise<OAuthTokens> {
  const body = (await postForm(options, '/oauth/token', form, signal)) as Partial<OAuthTokens>;
  const { access_token: access, refresh_token: refresh } = body;
  if (typeof access !== 'string' || typeof refresh !== 'string')
    throw new ServerError('the response of the token endpoint has no tokens');
  return body as OAuthTokens;
}

const SECRET_FIELDS = ['code', 'code_verifier', 'refresh_token', 'token', 'device_code'];

function redacting(form: Readonly<Record<string, string>>): Credential {
  const secrets = SECRET_FIELDS.map((name) => form[name] ?? '').filter((secret) => secret !== '');
  return {
    headers: () => Promise.resolve({}),
    renew: () => Promise.resolve(false),
    redact: (text) => withoutSecrets(text, secrets),
    hasToken: false,
  };
}
