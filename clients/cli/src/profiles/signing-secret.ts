import { randomBytes } from 'node:crypto';
import { wrongUsage } from '../errors.ts';

/** As the service makes them (Standard Webhooks). */
export function newSigningSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/** A secret that the user has given; it is in no message. */
export function readSigningSecret(text: string): string {
  if (/^whsec_[A-Za-z0-9+/]+={0,2}$/.test(text)) return text;
  throw wrongUsage('--secret is not the secret of a webhook', 'It begins with whsec_ and goes on in base64.');
}
