import type { Blobs } from './blob-store.ts';

/** Blobs are written to the first store; those that were written before it was configured are read from the second. */
export function layeredBlobs(first: Blobs, second: Blobs): Blobs {
  return {
    write: (name, content, sizeBytes) => first.write(name, content, sizeBytes),
    read: async (name, range) => (await first.read(name, range)) ?? second.read(name, range),
    size: async (name) => (await first.size(name)) ?? second.size(name),
    async remove(name) {
      await first.remove(name);
      await second.remove(name);
    },
  };
}
