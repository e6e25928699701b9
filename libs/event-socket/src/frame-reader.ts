import { ByteQueue, contentLength, FramingError, HEAD_MAX_BYTES } from './byte-queue.ts';

/** One message from the switch. */
export interface Frame {
  /** Keyed by lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

/** The items that a chunk completed. After an `error` the stream cannot be trusted: close the connection. */
export interface ReadResult<Item> {
  readonly items: readonly Item[];
  readonly error?: FramingError;
}

const LF = 0x0a;

/**
 * Cuts the byte stream from a switch into frames. It works on bytes, because lengths count bytes and a carrier's names
 * may not be UTF-8; text is decoded after the cut.
 */
export class FrameReader {
  readonly #bytes = new ByteQueue();
  #head: { headers: Map<string, string>; bodyLength: number } | undefined;
  #error: FramingError | undefined;

  push(chunk: Buffer): ReadResult<Frame> {
    const items: Frame[] = [];
    if (this.#error) return { items, error: this.#error };
    this.#bytes.append(chunk);
    try {
      for (let frame = this.#next(); frame; frame = this.#next()) items.push(frame);
      return { items };
    } catch (error) {
      if (!(error instanceof FramingError)) throw error;
      this.#error = error;
      return { items, error };
    }
  }

  #next(): Frame | undefined {
    this.#head ??= this.#readHead();
    if (!this.#head || this.#bytes.length < this.#head.bodyLength) return undefined;
    const { headers, bodyLength } = this.#head;
    this.#head = undefined;
    return { headers, body: Buffer.from(this.#bytes.consume(bodyLength)) };
  }

  #readHead(): { headers: Map<string, string>; bodyLength: number } | undefined {
    if (this.#bytes.length === 0) return undefined;
    this.#skipEmptyLines();
    const end = this.#bytes.peek().indexOf('\n\n');
    if (end > HEAD_MAX_BYTES || (end < 0 && this.#bytes.length > HEAD_MAX_BYTES)) {
      throw new FramingError('header is too long');
    }
    if (end < 0) return undefined;
    const headers = readHeaders(this.#bytes.consume(end + 2).toString('utf8', 0, end));
    return { headers, bodyLength: contentLength(headers.get('content-length')) };
  }

  #skipEmptyLines(): void {
    const bytes = this.#bytes.peek();
    let empty = 0;
    while (bytes[empty] === LF) empty += 1;
    if (empty > 0) this.#bytes.consume(empty);
  }
}

function readHeaders(text: string): Map<string, string> {
  const headers = new Map<string, string>();
  for (const line of text.split('\n')) {
    // Values may contain ": " (`+OK Job-UUID: …`), so only the first colon separates.
    const colon = line.indexOf(':');
    if (colon <= 0) throw new FramingError('header line without a name');
    const name = line.slice(0, colon).toLowerCase();
    if (name === 'content-length' && headers.has(name)) throw new FramingError('two Content-Length headers');
    headers.set(name, line.slice(colon + 1).trim());
  }
  return headers;
}
