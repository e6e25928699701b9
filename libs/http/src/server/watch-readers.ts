import type { Socket } from 'node:net';

/** A client that reads less than this of a response in this time is disconnected: it occupies memory, possibly on purpose. */
const READ_BYTES_MIN = 16 * 1024;
const READ_MS_MAX = 30_000;
/** Progress is visible for whole writes only, so a large write has that time for each chunk of this size. */
const WRITE_PART_BYTES = 256 * 1024;

/** Destroys connections whose clients do not read what was written for them. */
export function watchReaders(sockets: ReadonlySet<Socket>, readMsMax = READ_MS_MAX): NodeJS.Timeout {
  const taken = new WeakMap<Socket, { bytes: number; since: number }>();
  const check = () => {
    const now = performance.now();
    for (const socket of sockets) {
      if (socket.writableLength === 0) {
        taken.delete(socket);
        continue;
      }
      const bytes = socket.bytesWritten - socket.writableLength;
      const before = taken.get(socket);
      if (before === undefined || bytes - before.bytes >= READ_BYTES_MIN) taken.set(socket, { bytes, since: now });
      else if (now - before.since >= readMsMax * Math.ceil(socket.writableLength / WRITE_PART_BYTES)) socket.destroy();
    }
  };
  return setInterval(check, readMsMax / 6).unref();
}
