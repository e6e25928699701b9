import { createHmac, randomBytes } from 'node:crypto';

/** Lower-case letters and digits without the four that are mistaken for each other (i, l, o, u). */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const RANDOM_BYTES = 20;
/** A request to the generator costs more than the bytes of many ids. */
const POOL_BYTES = 4096;
const PREFIX = /^[a-z]+$/;
const SHAPE = /^[a-z]+_[0-9a-hjkmnp-tv-z]{32}$/;

/** A new opaque id: prefix, underscore, 160 random bits. It may be shown and logged, and cannot be guessed. */
export function newId(prefix: string): string {
  if (!PREFIX.test(prefix)) throw new Error(`an id's prefix is lower-case letters, not ${JSON.stringify(prefix)}`);
  return `${prefix}_${encode(randomPart(RANDOM_BYTES))}`;
}

/** The id of what `name` identifies: always the same, and without the key it cannot be guessed from the name. */
export function derivedId(prefix: string, key: Uint8Array, name: string): string {
  return `${prefix}_${encode(createHmac('sha256', key).update(name).digest().subarray(0, RANDOM_BYTES))}`;
}

let pool = randomBytes(POOL_BYTES);
let used = 0;

/** Random bytes that nobody else gets. Not for secrets, because those that are not used yet stay in memory. */
export function randomPart(bytes: number): Buffer {
  if (used + bytes > pool.length) {
    pool = randomBytes(Math.max(POOL_BYTES, bytes));
    used = 0;
  }
  used += bytes;
  return pool.subarray(used - bytes, used);
}

/** Checks the shape of an id; anything else is treated as unknown before it reaches a query. */
export function isId(prefix: string, value: unknown): value is string {
  return typeof value === 'string' && value.startsWith(`${prefix}_`) && SHAPE.test(value);
}

/** Crockford's base32, five bits a character, no padding. */
function encode(bytes: Uint8Array): string {
  let text = '';
  let bits = 0;
  let held = 0;
  for (const byte of bytes) {
    held = (held << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += ALPHABET[(held >>> bits) & 31];
    }
    held &= (1 << bits) - 1;
  }
  return text;
}
