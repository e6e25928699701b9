import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { secretPrefixes } from '@parley/secrets';

/** Standard Webhooks defines that the key follows it in base64. */
const SECRET_PREFIX = `${secretPrefixes.webhookSigning}_`;

/** The headers that prove where a delivery comes from, as Standard Webhooks names them. */
export interface SignatureHeaders {
  readonly 'webhook-id': string;
  readonly 'webhook-timestamp': string;
  readonly 'webhook-signature': string;
}

/** The key in a secret (`whsec_…`). To sign with it costs a fraction of what it costs with its bytes. */
export function signingKey(secret: string): KeyObject {
  return createSecretKey(Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64'));
}

/**
 * Signs a body with each of `keys`. `at` is the machine's time of this attempt, also where the product's
 * clock was moved: receivers compare it with their own watch and refuse what is five minutes off.
 */
export function signatureHeaders(id: string, body: string, keys: readonly KeyObject[], at: Date): SignatureHeaders {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signed = `${id}.${timestamp}.${body}`;
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': keys.map((key) => `v1,${createHmac('sha256', key).update(signed).digest('base64')}`).join(' '),
  };
}
