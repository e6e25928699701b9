const PREFIX = 'whsec_';

/** The key in a secret; the secret itself is in no message. */
export function decodeSecret(secret: string): Uint8Array<ArrayBuffer> {
  const text = typeof secret !== 'string' ? '' : secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret;
  try {
    const key = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    if (key.length > 0) return key;
  } catch {
    // Below.
  }
  throw new TypeError('the secret of a webhook begins with whsec_ and goes on in base64');
}

/** One entry of `webhook-signature` (Standard Webhooks). */
export async function signature(
  secret: Uint8Array<ArrayBuffer>,
  id: string,
  timestamp: string,
  body: Uint8Array,
): Promise<string> {
  const { subtle } = crypto;
  const head = new TextEncoder().encode(`${id}.${timestamp}.`);
  const content = new Uint8Array(head.length + body.length);
  content.set(head);
  content.set(body, head.length);
  const key = await subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  const mac = new Uint8Array(await subtle.sign('HMAC', key, content));
  return `v1,${btoa(String.fromCharCode(...mac))}`;
}

/** Compares texts in a time that depends on the length of `expected` only. */
export function sameText(given: string, expected: string): boolean {
  let difference = given.length ^ expected.length;
  for (let i = 0; i < expected.length; i++) difference |= given.charCodeAt(i) ^ expected.charCodeAt(i);
  return difference === 0;
}
