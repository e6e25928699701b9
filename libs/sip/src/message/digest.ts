import { createHash, randomBytes } from 'node:crypto';

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

/** The credentials for a WWW-Authenticate or Proxy-Authenticate header, with qop `auth`. */
export function answerChallenge(
  challenge: string,
  request: { method: string; uri: string; username: string; password: string },
): string {
  const { method, uri, username, password } = request;
  const { realm = '', nonce = '' } = readCredentials(challenge) ?? {};
  const cnonce = randomBytes(8).toString('hex');
  const count = '00000001';
  const a1 = md5(`${username}:${realm}:${password}`);
  const response = md5(`${a1}:${nonce}:${count}:${cnonce}:auth:${md5(`${method}:${uri}`)}`);
  return (
    `Digest username="${username}", realm="${realm}", nonce="${nonce}", uri="${uri}", ` +
    `response="${response}", algorithm=MD5, cnonce="${cnonce}", qop=auth, nc=${count}`
  );
}

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');
