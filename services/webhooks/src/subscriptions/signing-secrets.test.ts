import { newSecret } from '@parley/secrets';
import { describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { signatureHeaders, signingKey } from './signing-secrets.ts';

const oldSecret = newSecret('webhookSigning', 'base64');
const secret = newSecret('webhookSigning', 'base64');
const body = '{"event":"contact.created","data":{"contact":{"name":"Grüße 👋"}}}';
const at = new Date();

function verified(with_: string, headers: object, text = body): boolean {
  try {
    new Webhook(with_).verify(text, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}

describe('signatureHeaders', () => {
  it('signatureHeaders make a body verifiable with the secret, and with no other', () => {
    const headers = signatureHeaders('whd_1', body, [signingKey(secret)], at);
    expect(headers['webhook-id']).toBe('whd_1');
    expect(headers['webhook-timestamp']).toMatch(/^\d{10}$/);
    expect([verified(secret, headers), verified(oldSecret, headers)]).toEqual([true, false]);
  });

  it('signatureHeaders make a body verifiable with either secret while both sign', () => {
    const headers = signatureHeaders('whd_1', body, [secret, oldSecret].map(signingKey), at);
    expect([verified(secret, headers), verified(oldSecret, headers)]).toEqual([true, true]);
    expect(headers['webhook-signature'].split(' ')).toHaveLength(2);
  });

  it('signatureHeaders do not fit another body, another delivery or another time', () => {
    const headers = signatureHeaders('whd_1', body, [signingKey(secret)], at);
    expect(verified(secret, headers, `${body} `)).toBe(false);
    expect(verified(secret, { ...headers, 'webhook-id': 'whd_2' })).toBe(false);
    const later = String(Number(headers['webhook-timestamp']) + 1);
    expect(verified(secret, { ...headers, 'webhook-timestamp': later })).toBe(false);
  });
});
