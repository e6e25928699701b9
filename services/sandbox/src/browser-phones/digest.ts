import { createHash } from 'node:crypto';

/** The credentials of an Authorization or Proxy-Authorization header (RFC 2617). */
export type DigestCredentials = Readonly<Record<string, string>>;

export function readCredentials(value: string): DigestCredentials | undefined {
  if (!/^Digest\s/i.test(value)) return undefined;
  return Object.fromEntries(
    Array.from(value.matchAll(/([a-z]+)=(?:"([^"]*)"|([^\s,"]+))/gi), ([, name, quoted, plain]) => [
      name!.toLowerCase(),
      quoted ?? plain ?? '',
    ]),
  );
}

/** Verifies a response against `md5(user:realm:secret)`. */
export function verifyDigest(a1Hash: string, method: string, given: DigestCredentials): boolean {
  const { nonce = '', uri = '', qop, nc = '', cnonce = '', response } = given;
  const request = md5(`${method}:${uri}`);
  const middle = qop === undefined ? nonce : [nonce, nc, cnonce, qop].join(':');
  return response === md5(`${a1Hash}:${middle}:${request}`);
}

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');
