import { Webhook } from 'standardwebhooks';

/** The headers that prove where a delivery comes from, as Standard Webhooks names them. */
export interface SignatureHeaders {
  readonly 'webhook-id': string;
  readonly 'webhook-timestamp': string;
  readonly 'webhook-signature': string;
}

/**
 * Signs a body with each of `secrets` (`whsec_…`). `at` is the machine's time of this attempt, also where the product's
 * clock was moved: receivers compare it with their own watch and refuse what is five minutes off.
 */
export function signatureHeaders(id: string, body: string, secrets: readonly string[], at: Date): SignatureHeaders {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
  };
}
