import { createPrivateKey, type KeyObject, sign } from 'node:crypto';

/** PKCS #8 in DER, base64. */
export function readSigningKey(base64: string): KeyObject {
  return createPrivateKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'pkcs8' });
}

/** The headers Telnyx signs a callback with: Ed25519 over `timestamp|body`. */
function signatureHeaders(key: KeyObject, body: string, signedAt: Date): Record<string, string> {
  const timestamp = String(Math.floor(signedAt.getTime() / 1000));
  const signature = sign(null, Buffer.from(`${timestamp}|${body}`), key).toString('base64');
  return { 'telnyx-timestamp': timestamp, 'telnyx-signature-ed25519': signature };
}

/** Sends a callback; the status it was answered with, null when there was no answer. */
export async function sendCallback(
  url: string,
  payload: object,
  key: KeyObject,
  signedAt: Date,
): Promise<number | null> {
  const body = JSON.stringify(payload);
  const headers = { 'Content-Type': 'application/json', ...signatureHeaders(key, body, signedAt) };
  try {
    const response = await fetch(url, { method: 'POST', headers, body });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return null;
  }
}
