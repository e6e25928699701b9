import { createHmac, timingSafeEqual } from 'node:crypto';

export type Cursors = ReturnType<typeof signedCursors>;

const SIGNATURE_BYTES = 16;

/**
 * Signs the end of a page, so that it cannot be forged.
 *
 * Cursors are signed with a key that follows from the first of `keys` and from `purpose`: they are valid after a restart and
 * in other replicas, and a cursor of one kind of list is not one of another.
 */
export function signedCursors([secret = '']: readonly string[], purpose: string) {
  const key = createHmac('sha256', Buffer.from(secret, 'base64')).update(purpose).digest();
  const sign = (payload: string, scope: readonly unknown[]) =>
    createHmac('sha256', key)
      .update(JSON.stringify([payload, ...scope]))
      .digest()
      .subarray(0, SIGNATURE_BYTES)
      .toString('base64url');
  return {
    /** `scope`: what the cursor is bound to: company, endpoint, filters. */
    seal(position: unknown, scope: readonly unknown[]): string {
      const payload = Buffer.from(JSON.stringify(position)).toString('base64url');
      return `${payload}.${sign(payload, scope)}`;
    },
    /** The position, or undefined when the cursor is malformed or was made for something else. */
    open(cursor: string, scope: readonly unknown[]): unknown {
      const [payload = ''] = cursor.split('.');
      // Compared as text: decoding ignores padding and the last bits, so that several texts are one signature.
      const given = Buffer.from(cursor);
      const expected = Buffer.from(`${payload}.${sign(payload, scope)}`);
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
      return JSON.parse(Buffer.from(payload, 'base64url').toString());
    },
  };
}
