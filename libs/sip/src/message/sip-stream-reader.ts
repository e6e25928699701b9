import { parseSip, type SipMessage } from './sip-message.ts';

const HEAD_MAX_BYTES = 16 * 1024;
const BODY_MAX_BYTES = 32 * 1024;
const HEAD_END = '\r\n\r\n';

/** Bytes that are no SIP. The stream cannot be read any further: close the connection. */
export class SipStreamError extends Error {
  override readonly name = 'SipStreamError';
}

export interface SipStreamRead {
  readonly messages: readonly SipMessage[];
  /** The other side asks for a sign of life: a blank line is the answer (RFC 5626, section 4.4.1). */
  readonly isPing: boolean;
  readonly error?: SipStreamError;
}

/** Cuts the bytes of a TCP connection into SIP messages by their Content-Length (RFC 3261, section 18.3). */
export class SipStreamReader {
  /** Received bytes from `#start` to `#end`; room is made by doubling, so that many small chunks cost little. */
  #bytes = Buffer.alloc(4096);
  #start = 0;
  #end = 0;
  /** Up to here there is no end of a head. */
  #searched = 0;
  #head: { readonly end: number; readonly bodyBytes: number } | undefined;
  #error: SipStreamError | undefined;

  push(chunk: Uint8Array): SipStreamRead {
    const messages: SipMessage[] = [];
    if (this.#error) return { messages, isPing: false, error: this.#error };
    this.#append(chunk);
    let isPing = false;
    try {
      for (;;) {
        isPing = this.#skipBlankLines() || isPing;
        const message = this.#next();
        if (!message) return { messages, isPing };
        messages.push(message);
      }
    } catch (error) {
      if (!(error instanceof SipStreamError)) throw error;
      this.#error = error;
      return { messages, isPing, error };
    }
  }

  #append(chunk: Uint8Array): void {
    if (this.#start === this.#end) this.#moveBack(this.#start);
    if (this.#end + chunk.length > this.#bytes.length) {
      const waiting = this.#bytes.subarray(this.#start, this.#end);
      const needed = waiting.length + chunk.length;
      const larger = Buffer.alloc(Math.max(this.#bytes.length, 2 ** Math.ceil(Math.log2(needed))));
      waiting.copy(larger);
      this.#moveBack(this.#start);
      this.#bytes = larger;
    }
    this.#bytes.set(chunk, this.#end);
    this.#end += chunk.length;
  }

  #moveBack(bytes: number): void {
    this.#start -= bytes;
    this.#end -= bytes;
    this.#searched -= bytes;
    if (this.#head) this.#head = { ...this.#head, end: this.#head.end - bytes };
  }

  /** Blank lines may stand before a message; two of them are a ping. */
  #skipBlankLines(): boolean {
    if (this.#head) return false;
    let lines = 0;
    while (this.#end - this.#start >= 2 && this.#bytes[this.#start] === 13 && this.#bytes[this.#start + 1] === 10) {
      this.#start += 2;
      lines += 1;
    }
    this.#searched = Math.max(this.#searched, this.#start);
    return lines >= 2;
  }

  #next(): SipMessage | undefined {
    this.#head ??= this.#readHead();
    if (!this.#head) return undefined;
    const { end, bodyBytes } = this.#head;
    if (this.#end - end < bodyBytes) return undefined;
    const message = parseSip(this.#bytes.toString('utf8', this.#start, end + bodyBytes));
    if (!message) throw new SipStreamError('not a SIP message');
    this.#start = end + bodyBytes;
    this.#searched = this.#start;
    this.#head = undefined;
    return message;
  }

  #readHead(): { end: number; bodyBytes: number } | undefined {
    const waiting = this.#bytes.subarray(0, this.#end);
    const found = waiting.indexOf(HEAD_END, Math.max(this.#start, this.#searched - HEAD_END.length));
    if (found < 0) {
      this.#searched = this.#end;
      if (this.#end - this.#start > HEAD_MAX_BYTES) throw new SipStreamError('the head is too long');
      return undefined;
    }
    const end = found + HEAD_END.length;
    if (end - this.#start > HEAD_MAX_BYTES) throw new SipStreamError('the head is too long');
    return { end, bodyBytes: contentLength(waiting.toString('latin1', this.#start, end)) };
  }
}

/** Over TCP nothing else says where a message ends. */
function contentLength(head: string): number {
  const values = Array.from(head.matchAll(/\r\n(?:content-length|l)[ \t]*:[ \t]*([^\r\n]*)/gi), ([, value = '']) =>
    value.trim(),
  );
  const [value = ''] = values;
  if (!/^\d{1,6}$/.test(value)) throw new SipStreamError('no Content-Length');
  if (values.some((other) => other !== value)) throw new SipStreamError('two Content-Lengths');
  if (Number(value) > BODY_MAX_BYTES) throw new SipStreamError('the body is too long');
  return Number(value);
}
