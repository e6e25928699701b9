import { createDecipheriv, createECDH, createPublicKey, type ECDH, hkdfSync, randomBytes, verify } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A message as a push service and then a browser decode it. */
export interface ReceivedPush {
  readonly browser: string;
  readonly payload: Readonly<Record<string, string>>;
  readonly headers: IncomingMessage['headers'];
  /** The claims of the sender's signed token (RFC 8292). */
  readonly claims: Readonly<Record<string, unknown>>;
}

/** A push service over HTTP, and the browsers behind it, which decrypt what they get. */
export interface TestPushService {
  readonly url: string;
  readonly received: ReceivedPush[];
  /** The number of all requests for a browser, accepted or not. */
  requests(browser: string): number;
  /** Sets the response to a browser's messages; `hang` is none. */
  answer(browser: string, status: number | 'hang'): void;
  /** A new browser, as its PushManager describes it. */
  subscribe(browser: string): { endpoint: string; p256dh: string; auth: string };
  stop(): Promise<void>;
}

interface Browser {
  readonly keys: ECDH;
  readonly auth: Buffer;
  status: number | 'hang';
  requests: number;
}

export async function startTestPushService(): Promise<TestPushService> {
  const browsers = new Map<string, Browser>();
  const received: ReceivedPush[] = [];
  const server = createServer((request, response) => {
    const name = request.url!.slice('/push/'.length);
    const browser = browsers.get(name);
    if (!browser) return void response.writeHead(404).end();
    void bytesOf(request).then((body) => {
      browser.requests += 1;
      if (browser.status === 201) {
        const claims = verifiedClaims(request.headers.authorization ?? '');
        received.push({
          browser: name,
          payload: JSON.parse(decrypted(browser, body)),
          headers: request.headers,
          claims,
        });
      }
      if (browser.status !== 'hang') response.writeHead(browser.status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    received,
    requests: (browser) => browsers.get(browser)?.requests ?? 0,
    answer: (browser, status) => void (browsers.get(browser)!.status = status),
    subscribe(browser) {
      const keys = createECDH('prime256v1');
      const p256dh = keys.generateKeys().toString('base64url');
      const auth = randomBytes(16);
      browsers.set(browser, { keys, auth, status: 201, requests: 0 });
      return { endpoint: `${url}/push/${browser}`, p256dh, auth: auth.toString('base64url') };
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** RFC 8292 sections 2 and 3; a token that is not signed with the given key is an error. */
function verifiedClaims(authorization: string): Record<string, unknown> {
  const [, token = '', key = ''] = /^vapid t=([^,]+), k=(.+)$/.exec(authorization) ?? [];
  const [header = '', claims = '', signature = ''] = token.split('.');
  const point = Buffer.from(key, 'base64url');
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  };
  const publicKey = createPublicKey({ key: jwk, format: 'jwk' });
  const signed = Buffer.from(`${header}.${claims}`);
  const isValid = verify(
    'sha256',
    signed,
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  if (!isValid) throw new Error('the token is not signed with its key');
  return { ...JSON.parse(Buffer.from(claims, 'base64url').toString('utf8')), key };
}

/** RFC 8291 section 3 and RFC 8188 section 2, of one record. */
function decrypted({ keys, auth }: Browser, body: Buffer): string {
  const salt = body.subarray(0, 16);
  const keyLength = body.readUInt8(20);
  const sender = body.subarray(21, 21 + keyLength);
  const record = body.subarray(21 + keyLength);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), keys.getPublicKey(), sender]);
  const input = Buffer.from(hkdfSync('sha256', keys.computeSecret(sender), auth, info, 32));
  const derived = (name: string, length: number) =>
    Buffer.from(hkdfSync('sha256', input, salt, Buffer.from(`Content-Encoding: ${name}\0`), length));
  const decipher = createDecipheriv('aes-128-gcm', derived('aes128gcm', 16), derived('nonce', 12));
  decipher.setAuthTag(record.subarray(-16));
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
  return padded.subarray(0, padded.lastIndexOf(2)).toString('utf8');
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
