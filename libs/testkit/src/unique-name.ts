import { randomBytes } from 'node:crypto';

/** A name nobody else has, good for a database, a stream, a subject or a file. */
export function uniqueName(prefix: string): string {
  return `${prefix}_${randomBytes(6).toString('hex')}`;
}
