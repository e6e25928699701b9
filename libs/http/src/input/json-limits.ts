export interface JsonLimits {
  /** RFC 8259 section 9 lets a parser limit nesting. */
  readonly depth: number;
  /** Items of arrays and members of objects in one body, at all levels together. */
  readonly values: number;
}

/** Nothing we take is a tenth as deep or a third as long. */
export const JSON_LIMITS: JsonLimits = { depth: 32, values: 5_000 };

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** The exceeded limit; undefined when a text stays within the limits, or is no JSON at all. */
export type JsonExcess = 'depth' | 'values';

/**
 * Counts values and levels in the bytes of a JSON text without building anything from them: a megabyte of hostile
 * input is refused in about a millisecond, where parsing and validating it would block the event loop for seconds.
 */
export function jsonExcess(bytes: Buffer, limits: JsonLimits = JSON_LIMITS): JsonExcess | undefined {
  let depth = 0;
  let values = 0;
  for (let i = 0; i < bytes.length; i++) {
    switch (bytes[i]) {
      case QUOTE:
        i = endOfString(bytes, i);
        break;
      case OPEN_BRACKET:
      case OPEN_BRACE:
        if (++depth > limits.depth) return 'depth';
        if (++values > limits.values) return 'values';
        break;
      case CLOSE_BRACKET:
      case CLOSE_BRACE:
        depth--;
        break;
      case COMMA:
        if (++values > limits.values) return 'values';
        break;
      default:
    }
  }
  return undefined;
}

/** The index of the quote that closes the string opened at `start`; the end of the text when none does. */
function endOfString(bytes: Buffer, start: number): number {
  let i = start + 1;
  for (; i < bytes.length && bytes[i] !== QUOTE; i++) if (bytes[i] === BACKSLASH) i++;
  return i;
}
