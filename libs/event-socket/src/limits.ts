/** A frame's or a command's header lines, in bytes. */
export const HEAD_MAX_BYTES = 64 * 1024;
/** The largest accepted Content-Length. */
const BODY_MAX_BYTES = 16 * 1024 * 1024;

/** Bytes that cannot be a frame. The stream cannot be read any further: close the connection. */
export class FramingError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'FramingError';
  }
}

/** Reads a Content-Length, which counts bytes, not characters. */
export function contentLength(value: string | undefined): number {
  if (value === undefined) return 0;
  if (!/^\d{1,8}$/.test(value)) throw new FramingError('Content-Length is not a number of 1 to 8 digits');
  const length = Number(value);
  if (length > BODY_MAX_BYTES) throw new FramingError('body is too long');
  return length;
}
