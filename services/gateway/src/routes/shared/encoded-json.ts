import { type DescMessage, fromBinary, type MessageShape } from '@bufbuild/protobuf';
import { LRUCache } from 'lru-cache';

/** Encoded messages and their JSON that a list keeps, in characters. */
const CACHED_CHARACTERS_MAX = 32_000_000;
/** What was erased does not stay in memory for longer. */
const CACHED_MS = 10 * 60_000;

/**
 * The JSON of encoded messages. The same bytes always mean the same JSON, so what was converted before is not decoded again: most rows
 * of a list are the same as the last time.
 */
export function encodedJson<Desc extends DescMessage>(
  desc: Desc,
  toJson: (message: MessageShape<Desc>) => unknown,
): (bytes: Uint8Array) => string {
  const cache = new LRUCache<string, string>({
    maxSize: CACHED_CHARACTERS_MAX,
    sizeCalculation: (json, key) => json.length + key.length,
    ttl: CACHED_MS,
    // Looking at the clock for every row would cost more than the rest.
    ttlResolution: 1000,
  });
  return (bytes) => {
    const key = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
    const known = cache.get(key);
    if (known !== undefined) return known;
    const json = JSON.stringify(toJson(fromBinary(desc, bytes)));
    cache.set(key, json);
    return json;
  };
}
