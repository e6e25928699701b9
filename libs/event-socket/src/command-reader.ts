import { ByteQueue, contentLength, FramingError, HEAD_MAX_BYTES } from './byte-queue.ts';
import type { ReadResult } from './frame-reader.ts';

/** One command as the switch receives it. */
export interface Command {
  /** The first line, such as `api uuid_kill …`. */
  readonly line: string;
  /** Keyed by lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

/** Cuts the byte stream from a client into commands: a line, header lines, an empty line, a body if one is announced. */
export class CommandReader {
  readonly #bytes = new ByteQueue();
  #lines: string[] = [];
  #headBytes = 0;
  #head: Omit<Command, 'body'> | undefined;
  #error: FramingError | undefined;

  push(chunk: Buffer): ReadResult<Command> {
    const items: Command[] = [];
    if (this.#error) return { items, error: this.#error };
    this.#bytes.append(chunk);
    try {
      for (let command = this.#next(); command; command = this.#next()) items.push(command);
      return { items };
    } catch (error) {
      if (!(error instanceof FramingError)) throw error;
      this.#error = error;
      return { items, error };
    }
  }

  #next(): Command | undefined {
    this.#head ??= this.#readHead();
    if (!this.#head) return undefined;
    const length = contentLength(this.#head.headers.get('content-length'));
    if (this.#bytes.length < length) return undefined;
    const head = this.#head;
    this.#head = undefined;
    return { ...head, body: Buffer.from(this.#bytes.consume(length)) };
  }

  #readHead(): Omit<Command, 'body'> | undefined {
    for (let line = this.#readLine(); line !== undefined; line = this.#readLine()) {
      if (line !== '') {
        this.#lines.push(line);
        continue;
      }
      if (this.#lines.length === 0) continue; // empty lines between commands
      const [first = '', ...rest] = this.#lines;
      this.#lines = [];
      this.#headBytes = 0;
      return { line: first, headers: readHeaders(rest) };
    }
    if (this.#headBytes + this.#bytes.length > HEAD_MAX_BYTES) throw new FramingError('command is too long');
    return undefined;
  }

  #readLine(): string | undefined {
    if (this.#bytes.length === 0) return undefined;
    const end = this.#bytes.peek().indexOf('\n');
    if (end < 0) return undefined;
    this.#headBytes += end + 1;
    if (this.#headBytes > HEAD_MAX_BYTES) throw new FramingError('command is too long');
    return this.#bytes
      .consume(end + 1)
      .toString('utf8', 0, end)
      .replace(/\r$/, '');
  }
}

/** Lines without a colon are ignored, as FreeSWITCH does. */
function readHeaders(lines: readonly string[]): Map<string, string> {
  const headers = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(':');
    if (colon > 0) headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim());
  }
  return headers;
}
