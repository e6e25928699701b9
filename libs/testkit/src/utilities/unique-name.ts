import { randomBytes } from 'node:crypto';

/** A unique name for a database, a stream, a subject or a file. */
export function uniqueName(prefix: string): string {
  return `${prefix}_${randomBytes(6).toString('hex')}`;
}
