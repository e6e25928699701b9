import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { Transform, type TransformCallback } from 'node:stream';
import { type Key, readKeys } from './encryptor.ts';

/** Bytes from `start` up to, not including, `end`. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** A sealed file whose header was read. */
export type SealedFile = ReturnType<typeof sealedFile>;

export type FileSealer = ReturnType<typeof fileSealer>;

const MAGIC = Buffer.from('PRLYSEAL');
const KEY_ID_BYTES = 8;
const SALT_BYTES = 16;
const HEADER_BYTES = MAGIC.length + KEY_ID_BYTES + SALT_BYTES;
const BLOCK_BYTES = 64 * 1024;
const TAG_BYTES = 16;
const SEALED_BLOCK_BYTES = BLOCK_BYTES + TAG_BYTES;
const NONCE_BYTES = 12;

/**
 * Encrypts files of any size in constant memory, and reads any part of them back.
 *
 * Each file has its own key, derived from the first of `keys` and a random salt; each block of 64 KiB is encrypted
 * with AES-256-GCM under its number. The nonce of the last block says that it is the last, so that a file that was
 * cut off cannot be read (the STREAM construction of Hoang, Reyhanitabar, Rogaway and Vizár).
 */
export function fileSealer(keys: string | readonly string[]) {
  const ring = readKeys(keys);
  const [current] = ring;
  if (!current) throw new Error('a sealer of files needs at least one key');
  return {
    headerBytes: HEADER_BYTES,
    sealedSize: (sizeBytes: number) => HEADER_BYTES + sizeBytes + blocksOf(sizeBytes) * TAG_BYTES,
    /** Encrypts what is written to it. `context` binds the file to its location, as in `encryptor`. */
    seal(context: string): Transform {
      const salt = randomBytes(SALT_BYTES);
      return new Sealing(fileKey(current, salt, context), Buffer.concat([MAGIC, Buffer.from(current.id), salt]));
    },
    /** Undefined when the file is not sealed. Throws when its key is not configured. */
    read(header: Uint8Array, sealedBytes: number, context: string): SealedFile | undefined {
      const bytes = Buffer.from(header);
      if (bytes.length < HEADER_BYTES || !bytes.subarray(0, MAGIC.length).equals(MAGIC)) return undefined;
      const id = bytes.toString('latin1', MAGIC.length, MAGIC.length + KEY_ID_BYTES);
      const key = ring.find((one) => one.id === id);
      if (!key) throw new Error(`encrypted with key ${id}, which is not configured`);
      const body = sealedBytes - HEADER_BYTES;
      const blocks = Math.max(Math.ceil(body / SEALED_BLOCK_BYTES), 1);
      const sizeBytes = body - blocks * TAG_BYTES;
      if (sizeBytes < 0) throw new Error('the encrypted file was cut off');
      return sealedFile(fileKey(key, bytes.subarray(-SALT_BYTES), context), sizeBytes, blocks);
    },
  };
}

function sealedFile(key: Buffer, sizeBytes: number, blocks: number) {
  const firstBlock = ({ start }: ByteRange) => Math.floor(start / BLOCK_BYTES);
  /** An empty file has one empty block, which proves that it is empty. */
  const endBlock = ({ end }: ByteRange) => Math.min(Math.max(Math.ceil(end / BLOCK_BYTES), 1), blocks);
  return {
    sizeBytes,
    /** The range of sealed bytes that contains a range of the content. */
    sealedRange: (range: ByteRange): ByteRange => ({
      start: HEADER_BYTES + firstBlock(range) * SEALED_BLOCK_BYTES,
      end: Math.min(HEADER_BYTES + endBlock(range) * SEALED_BLOCK_BYTES, HEADER_BYTES + sizeBytes + blocks * TAG_BYTES),
    }),
    /** Opens the bytes of `sealedRange(range)`; fails if they were changed, moved or cut off. */
    open: (range: ByteRange): Transform =>
      new Opening(key, { first: firstBlock(range), end: endBlock(range), blocks }, range),
  };
}

function blocksOf(sizeBytes: number): number {
  return Math.max(Math.ceil(sizeBytes / BLOCK_BYTES), 1);
}

function fileKey({ key }: Key, salt: Uint8Array, context: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, salt, `parley file ${context}`, 32));
}

function nonceOf(block: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES);
  nonce.writeUInt32BE(block, NONCE_BYTES - 5);
  nonce[NONCE_BYTES - 1] = isLast ? 1 : 0;
  return nonce;
}

/** Cuts a stream into blocks of one size; the last may be shorter. Holds one block and one chunk. */
abstract class Blocks extends Transform {
  readonly #bytes: number;
  #waiting: Buffer[] = [];
  #length = 0;

  constructor(bytes: number) {
    super();
    this.#bytes = bytes;
  }

  protected abstract block(bytes: Buffer, isLast: boolean): void;

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#waiting.push(chunk);
    this.#length += chunk.length;
    this.#run(done, false);
  }

  override _flush(done: TransformCallback): void {
    this.#run(done, true);
  }

  #run(done: TransformCallback, isEnd: boolean): void {
    try {
      // A block is known to be the last only when the end follows it instead of more bytes.
      if (this.#length > this.#bytes || isEnd) {
        let rest = Buffer.concat(this.#waiting);
        for (; rest.length > this.#bytes; rest = rest.subarray(this.#bytes))
          this.block(rest.subarray(0, this.#bytes), false);
        if (isEnd) this.block(rest, true);
        this.#waiting = [rest];
        this.#length = rest.length;
      }
      done();
    } catch (error) {
      done(error as Error);
    }
  }
}

class Sealing extends Blocks {
  readonly #key: Buffer;
  #next = 0;

  constructor(key: Buffer, header: Buffer) {
    super(BLOCK_BYTES);
    this.#key = key;
    this.push(header);
  }

  protected override block(bytes: Buffer, isLast: boolean): void {
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonceOf(this.#next++, isLast));
    this.push(Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()]));
  }
}

class Opening extends Blocks {
  readonly #key: Buffer;
  readonly #range: ByteRange;
  readonly #blocks: number;
  readonly #end: number;
  #next: number;

  constructor(key: Buffer, { first, end, blocks }: { first: number; end: number; blocks: number }, range: ByteRange) {
    super(SEALED_BLOCK_BYTES);
    this.#key = key;
    this.#range = range;
    this.#blocks = blocks;
    this.#end = end;
    this.#next = first;
  }

  protected override block(sealed: Buffer, isLast: boolean): void {
    const index = this.#next++;
    if (isLast && index !== this.#end - 1) throw new Error('the encrypted file was cut off');
    const opened = open(sealed, this.#key, nonceOf(index, index === this.#blocks - 1));
    const at = index * BLOCK_BYTES;
    const part = opened.subarray(Math.max(this.#range.start - at, 0), Math.max(this.#range.end - at, 0));
    if (part.length > 0) this.push(part);
  }
}

function open(sealed: Buffer, key: Buffer, nonce: Buffer): Buffer {
  if (sealed.length < TAG_BYTES) throw new Error('the encrypted file was cut off');
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final()]);
  } catch (cause) {
    throw new Error('the encrypted file was changed or belongs elsewhere', { cause });
  }
}
