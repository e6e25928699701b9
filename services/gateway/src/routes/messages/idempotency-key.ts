import { z } from 'zod';

/** A value of any type: what is no valid key is refused as such, with 409. */
export const idempotencyKeyBody = z.unknown().optional().meta({ type: 'string', description: '1 to 128 characters' });

export const idempotencyKeyHeaders = z.object({
  'idempotency-key': z.string().optional().describe('1 to 128 characters; here or in the body'),
});

/** The key of a request; empty when there is none, when it is no string, and when header and body differ. */
export function idempotencyKeyOf(header: string | undefined, body: unknown): string {
  if (body === undefined || body === null) return header ?? '';
  if (typeof body !== 'string' || (header !== undefined && header !== body)) return '';
  return body;
}
