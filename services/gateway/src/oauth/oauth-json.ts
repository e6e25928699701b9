import type { OAuthClient, OAuthError } from '@parley/proto/identity/v1/oauth_pb';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import { HttpError } from '@parley/http';
import { z } from 'zod';

export const clientSchema = z
  .object({
    client_id: z.string(),
    client_id_issued_at: z.int().describe('Seconds since 1970.'),
    client_name: z.string(),
    redirect_uris: z.array(z.string()),
    token_endpoint_auth_method: z.literal('none'),
    grant_types: z.array(z.string()),
    response_types: z.array(z.string()),
    scope: z.string(),
  })
  .meta({ id: 'OAuthClient' });

/** The registration response of RFC 7591; there is never a client secret in it. */
export function clientJson(client: OAuthClient): z.output<typeof clientSchema> {
  return {
    client_id: client.clientId,
    client_id_issued_at: client.issuedAt ? Math.floor(timestampDate(client.issuedAt).getTime() / 1000) : 0,
    client_name: client.clientName,
    redirect_uris: client.redirectUris,
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    scope: 'api',
  };
}

const errorSchema = z
  .object({ error: z.string(), error_description: z.string().optional() })
  .meta({ id: 'OAuthError', description: 'Error response of RFC 6749 section 5.2.' });

/** A refusal as the description of an endpoint names it, with the codes it may have. */
export function refusesWith(...codes: string[]): { description: string; body: typeof errorSchema } {
  return { description: `Error: ${codes.map((code) => `\`${code}\``).join(', ')}.`, body: errorSchema };
}

/** OAuth defines its own error codes and error body. */
export function oauthHttpError({ status, error, errorDescription }: OAuthErrorFields): HttpError {
  const headers = { Pragma: 'no-cache', ...(status === 429 && { 'Retry-After': '60' }) };
  return new HttpError(status, { error, error_description: errorDescription }, headers);
}

export type OAuthErrorFields = Pick<OAuthError, 'status' | 'error' | 'errorDescription'>;
