import { createHmac, timingSafeEqual } from 'node:crypto';

/** Signs the end of a page, so that it cannot be forged. */
export interface Cursors {
  /** `scope`: what the cursor is bound to: company, endpoint, filters. */
  seal(position: unknown, scope: readonly unknown[]): string;
  /** The position, or undefined when the cursor is malformed or was made for something else. */
  open(cursor: string, scope: readonly unknown[]): unknown;
}

const SIGNATURE_BYTES = 16;

/** Cursors signed with `key`: they are valid after a restart and in other replicas. */
export function signedCursors(key: Buffer): Cursors {
  const sign = (payload: string, scope: readonly unknown[]) =>
    createHmac('sha256', key)
      .update(JSON.stringify([payload, ...scope]))
      .digest()
      .subarray(0, SIGNATURE_BYTES);
  return {
    seal(position, scope) {
      const payload = Buffer.from(JSON.stringify(position)).toString('base64url');
      return `${payload}.${sign(payload, scope).toString('base64url')}`;
    },
    open(cursor, scope) {
      const [payload = '', signature = '', ...rest] = cursor.split('.');
      const given = Buffer.from(signature, 'base64url');
      if (rest.length > 0 || given.length !== SIGNATURE_BYTES || !timingSafeEqual(given, sign(payload, scope)))
        return undefined;
      return JSON.parse(Buffer.from(payload, 'base64url').toString());
    },
  };
}
