import { createHash, randomBytes } from 'node:crypto';

const md5 = (text: string) => createHash('md5').update(text).digest('hex');

/** The answer to a SIP challenge (RFC 2617, qop auth). */
export function authorization(
  challenge: string,
  request: { method: string; uri: string; username: string; password: string },
): string {
  const { method, uri, username, password } = request;
  const field = (name: string) => new RegExp(`${name}="?([^",]+)`).exec(challenge)?.[1] ?? '';
  const [realm, nonce, cnonce] = [field('realm'), field('nonce'), randomBytes(8).toString('hex')];
  const count = '00000001';
  const a1 = md5(`${username}:${realm}:${password}`);
  const response = md5(`${a1}:${nonce}:${count}:${cnonce}:auth:${md5(`${method}:${uri}`)}`);
  return (
    `Digest username="${username}", realm="${realm}", nonce="${nonce}", uri="${uri}", ` +
    `response="${response}", algorithm=MD5, cnonce="${cnonce}", qop=auth, nc=${count}`
  );
}
