import { createHmac, randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { signWebhook, verifyWebhook, WebhookVerificationError } from './index.ts';

const SECRET = `whsec_${randomBytes(32).toString('base64')}`;
const OTHER = `whsec_${randomBytes(32).toString('base64')}`;
const NOW = 1_700_000_000;
const BODY = JSON.stringify({
  event: 'contact.created',
  timestamp: '2026-11-19T10:00:00.000Z',
  data: { name: 'Ane ☎' },
});
const now = () => NOW * 1000;

type SignedHeaders = Awaited<ReturnType<typeof signWebhook>>;

/** As the service does it. */
function signed(body: string, secrets = [SECRET], timestamp = NOW): SignedHeaders {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`whd_1.${timestamp}.${body}`).digest('base64')}`;
  });
  return {
    'webhook-id': 'whd_1',
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  };
}

async function reasonOf(verifying: Promise<unknown>): Promise<string> {
  const error = await verifying.then(
    () => 'accepted',
    (thrown: unknown) => thrown,
  );
  return error instanceof WebhookVerificationError ? error.reason : String(error);
}

describe('a request to a webhook', () => {
  it.each([
    ['text', BODY],
    ['bytes', new TextEncoder().encode(BODY)],
    ['a buffer', Buffer.from(BODY)],
    ['an array buffer', new TextEncoder().encode(BODY).buffer],
  ])('a request to a webhook is verified with its body as %s', async (_name, body) => {
    expect(await verifyWebhook(body, signed(BODY), SECRET, { now })).toEqual(JSON.parse(BODY));
  });

  it.each([
    ['of Fetch', new Headers(signed(BODY))],
    [
      'in other cases',
      {
        'Webhook-Id': 'whd_1',
        'WEBHOOK-Timestamp': String(NOW),
        'Webhook-Signature': signed(BODY)['webhook-signature'],
      },
    ],
    ['as lists', Object.fromEntries(Object.entries(signed(BODY)).map(([name, value]) => [name, [value]]))],
    ['as entries', Object.entries(signed(BODY))],
  ])('a request to a webhook is verified with its headers %s', async (_name, headers) => {
    expect(await verifyWebhook(BODY, headers, SECRET, { now })).toMatchObject({ event: 'contact.created' });
  });

  it('a request to a webhook is verified while a secret is replaced', async () => {
    for (const [signers, known] of [
      [[OTHER, SECRET], [SECRET]],
      [[OTHER], [SECRET, OTHER]],
    ] as const)
      expect(await verifyWebhook(BODY, signed(BODY, [...signers]), known, { now })).toBeDefined();
  });

  it.each([0, 299, 300, -300])('a request to a webhook may be %i s old', async (age) => {
    expect(await reasonOf(verifyWebhook(BODY, signed(BODY, [SECRET], NOW - age), SECRET, { now }))).toBe('accepted');
  });

  it.each([
    ['another secret', BODY, signed(BODY, [OTHER]), 'signature_mismatch'],
    ['an old time', BODY, signed(BODY, [SECRET], NOW - 301), 'timestamp_too_old'],
    ['a future time', BODY, signed(BODY, [SECRET], NOW + 301), 'timestamp_in_future'],
    ['a time that is none', BODY, { ...signed(BODY), 'webhook-timestamp': '1e9' }, 'invalid_timestamp'],
    ['another time', BODY, { ...signed(BODY), 'webhook-timestamp': String(NOW + 1) }, 'signature_mismatch'],
    ['another id', BODY, { ...signed(BODY), 'webhook-id': 'whd_2' }, 'signature_mismatch'],
    ['no id', BODY, { ...signed(BODY), 'webhook-id': undefined }, 'missing_header'],
    ['two ids', BODY, { ...signed(BODY), 'webhook-id': ['whd_1', 'whd_1'] }, 'missing_header'],
    ['no signature', BODY, { ...signed(BODY), 'webhook-signature': '' }, 'missing_header'],
    [
      'a signature of another version',
      BODY,
      { ...signed(BODY), 'webhook-signature': signed(BODY)['webhook-signature'].replace('v1,', 'v2,') },
      'signature_mismatch',
    ],
    ['a body that is no JSON', 'text', signed('text'), 'invalid_body'],
    ['a body that is no event', '{"a":1}', signed('{"a":1}'), 'invalid_body'],
  ])('a request to a webhook with %s is refused', async (_name, body, headers, reason) => {
    expect(await reasonOf(verifyWebhook(body, headers, SECRET, { now }))).toBe(reason);
  });

  it('a request to a webhook is refused whichever byte of it is changed', async () => {
    const headers = signed(BODY);
    const bytes = new TextEncoder().encode(BODY);
    const parts = [...Object.keys(headers), 'body'];
    const change = fc.tuple(fc.constantFrom(...parts), fc.nat(), fc.integer({ min: 1, max: 127 }));
    await fc.assert(
      fc.asyncProperty(change, async ([part, at, flip]) => {
        const changed = new Uint8Array(bytes);
        const text = headers[part as keyof SignedHeaders] ?? '';
        if (part === 'body') changed[at % changed.length]! ^= flip;
        const place = at % Math.max(text.length, 1);
        const other = String.fromCharCode(text.charCodeAt(place) ^ flip);
        const given =
          part === 'body' ? headers : { ...headers, [part]: text.slice(0, place) + other + text.slice(place + 1) };
        expect(await reasonOf(verifyWebhook(changed, given, SECRET, { now }))).not.toBe('accepted');
      }),
      { numRuns: 2000 },
    );
  });

  it('a request to a webhook is refused with a signature that decodes to the same bytes', async () => {
    const { 'webhook-signature': signature } = signed(BODY);
    const last = signature.at(-2)!;
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
    const same = `${signature.slice(0, -2)}${alphabet[alphabet.indexOf(last) ^ 1]}=`;
    expect(Buffer.from(same.slice(3), 'base64')).toEqual(Buffer.from(signature.slice(3), 'base64'));
    const headers = { ...signed(BODY), 'webhook-signature': same };
    expect(await reasonOf(verifyWebhook(BODY, headers, SECRET, { now }))).toBe('signature_mismatch');
  });

  it('a request to a webhook is verified with what signWebhook makes for tests', async () => {
    const headers = await signWebhook(BODY, [OTHER, SECRET], { id: 'whd_9' });
    expect(headers['webhook-id']).toBe('whd_9');
    expect(await verifyWebhook(BODY, headers, SECRET)).toMatchObject({ event: 'contact.created' });
    expect(await signWebhook(BODY, SECRET, { id: 'whd_1', timestamp: NOW })).toEqual(signed(BODY));
  });

  it.each([undefined, '', 'whsec_', 'whsec_***'])(
    'a request to a webhook cannot be verified with the secret %j',
    async (secret) => {
      await expect(verifyWebhook(BODY, signed(BODY), secret as string, { now })).rejects.toThrow(
        'the secret of a webhook',
      );
    },
  );

  it('a request to a webhook cannot be verified with a parsed body, and the secret is in no error', async () => {
    const parsed = JSON.parse(BODY) as string;
    await expect(verifyWebhook(parsed, signed(BODY), SECRET, { now })).rejects.toThrow('not what was parsed from them');
    const error = await verifyWebhook(BODY, signed(BODY, [OTHER]), SECRET, { now }).catch(String);
    expect(error).not.toContain(SECRET.slice(6));
  });
});
