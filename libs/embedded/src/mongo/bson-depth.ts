/** Bytes of a value of a type whose size never varies. */
const FIXED_BYTES: Readonly<Record<number, number>> = {
  1: 8, // double
  6: 0, // undefined
  7: 12, // object id
  8: 1, // boolean
  9: 8, // date
  10: 0, // null
  16: 4, // int32
  17: 8, // timestamp
  18: 8, // int64
  19: 16, // decimal128
  127: 0, // max key
  255: 0, // min key
};

const STRING = 2;
const DOCUMENT = 3;
const ARRAY = 4;
const CODE_WITH_SCOPE = 15;

/**
 * The nesting depth of the BSON document at `at` (a flat one: 1), or undefined when it is malformed. It is iterative, so no nesting
 * can overflow the stack, and every step moves forward.
 */
export function bsonDepth(bytes: Buffer, at: number): number | undefined {
  const ends: number[] = [];
  let deepest = 0;
  let position = at;
  const enter = () => {
    if (position + 4 > bytes.length) return false;
    const end = position + bytes.readInt32LE(position);
    if (end < position + 5 || end > (ends.at(-1) ?? bytes.length)) return false;
    ends.push(end);
    deepest = Math.max(deepest, ends.length);
    position += 4;
    return true;
  };
  if (!enter()) return undefined;
  while (ends.length > 0) {
    const type = bytes[position++];
    if (type === 0) {
      if (position !== ends.pop()) return undefined;
      continue;
    }
    position = afterText(bytes, position);
    if (type === undefined || position === 0) return undefined;
    if (type === CODE_WITH_SCOPE) {
      // Its own length, the code as a string, then the scope: a document.
      const code = valueBytes(bytes, STRING, position + 4);
      if (code === undefined) return undefined;
      position += 4 + code;
    }
    if (type === DOCUMENT || type === ARRAY || type === CODE_WITH_SCOPE) {
      if (!enter()) return undefined;
      continue;
    }
    const size = valueBytes(bytes, type, position);
    if (size === undefined) return undefined;
    position += size;
    if (position >= ends.at(-1)!) return undefined;
  }
  return deepest;
}

function valueBytes(bytes: Buffer, type: number, at: number): number | undefined {
  const fixed = FIXED_BYTES[type];
  if (fixed !== undefined) return fixed;
  if (type === 11) {
    const pattern = afterText(bytes, at);
    const options = pattern && afterText(bytes, pattern);
    return options ? options - at : undefined;
  }
  if (at + 4 > bytes.length) return undefined;
  const length = bytes.readInt32LE(at);
  if (length < 0) return undefined;
  if (type === STRING || type === 13 || type === 14) return 4 + length; // string, code, symbol
  if (type === 5) return 5 + length; // binary
  if (type === 12) return 16 + length; // pointer
  return undefined;
}

/** The position after a zero-terminated text, or 0 when it has no end. */
function afterText(bytes: Buffer, at: number): number {
  return bytes.indexOf(0, at) + 1;
}
