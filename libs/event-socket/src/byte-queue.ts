/** A frame's or a command's header lines, in bytes. */
export const HEAD_MAX_BYTES = 64 * 1024;
/** The largest accepted Content-Length. */
const BODY_MAX_BYTES = 16 * 1024 * 1024;

/** Bytes that cannot be a frame. The stream cannot be read any further: close the connection. */
export class FramingError extends Error {
  override readonly name = 'FramingError';
}

/** Reads a Content-Length, which counts bytes, not characters. */
export function contentLength(value: string | undefined): number {
  if (value === undefined) return 0;
  if (!/^\d{1,8}$/.test(value)) throw new FramingError('Content-Length is not a number of 1 to 8 digits');
  const length = Number(value);
  if (length > BODY_MAX_BYTES) throw new FramingError('body is too long');
  return length;
}

/** Received bytes that have not been consumed. Chunks are joined only when they are read, so that many small ones cost little. */
export class ByteQueue {
  #chunks: Buffer[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  append(chunk: Buffer): void {
    if (chunk.length === 0) return;
    this.#chunks.push(chunk);
    this.#length += chunk.length;
  }

  /** All bytes, without consuming them. */
  peek(): Buffer {
    if (this.#chunks.length !== 1) this.#chunks = [Buffer.concat(this.#chunks)];
    return this.#chunks[0]!;
  }

  consume(bytes: number): Buffer {
    const all = this.peek();
    const rest = all.subarray(bytes);
    this.#chunks = rest.length > 0 ? [rest] : [];
    this.#length = rest.length;
    return all.subarray(0, bytes);
  }
}
