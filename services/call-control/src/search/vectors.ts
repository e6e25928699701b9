import { createHash } from 'node:crypto';

const TABLES = 6;
const BITS = 10;

/** Coordinates as bytes; a quarter of the size of floats, and near enough for a ranking. */
export function packVector(vector: readonly number[]): Buffer {
  return Buffer.from(Int8Array.from(vector, (value) => Math.max(-127, Math.min(127, Math.round(value * 127)))).buffer);
}

/** The cosine similarity, -1 to 1. */
export function similarity(packed: Uint8Array, query: readonly number[]): number {
  const values = new Int8Array(packed.buffer, packed.byteOffset, packed.byteLength);
  let dot = 0;
  let square = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? 0;
    dot += value * (query[i] ?? 0);
    square += value * value;
  }
  return square === 0 ? 0 : dot / Math.sqrt(square);
}

/**
 * Buckets of a vector by random hyperplanes (locality-sensitive hashing): alike vectors share some of them, so that the
 * nearest among a million are looked for among a few hundred.
 */
export function bucketsOf(vector: readonly number[]): string[] {
  return Array.from({ length: TABLES }, (_, table) => {
    let bucket = 0;
    for (let bit = 0; bit < BITS; bit++) bucket = bucket * 2 + (side(vector, table * BITS + bit) ? 1 : 0);
    return `${table}.${bucket}`;
  });
}

const planes = new Map<string, Float32Array>();

function side(vector: readonly number[], index: number): boolean {
  const plane = planeOf(index, vector.length);
  let dot = 0;
  for (let i = 0; i < vector.length; i++) dot += (vector[i] ?? 0) * (plane[i] ?? 0);
  return dot > 0;
}

/** The same in every process: it follows from its number. */
function planeOf(index: number, dimensions: number): Float32Array {
  const key = `${index}/${dimensions}`;
  const known = planes.get(key);
  if (known) return known;
  const plane = new Float32Array(dimensions);
  for (let i = 0; i < dimensions; i += 8) {
    const digest = createHash('sha256').update(`${key}/${i}`).digest();
    for (let j = 0; j < 8 && i + j < dimensions; j++) plane[i + j] = digest.readInt32LE(j * 4) / 2 ** 31;
  }
  planes.set(key, plane);
  return plane;
}
