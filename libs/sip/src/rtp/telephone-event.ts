import { timestampsBetween } from './rtp-packet.ts';

const KEYS = '0123456789*#ABCD';
const FRAME_SAMPLES = 160;
const END_BIT = 0x80;
const VOLUME = 10;
/** 120 ms of the key, then the end two more times, because packets get lost. */
const KEY_FRAMES = 6;
const PACKETS = 8;
/** Between two keys, so that the other side can tell them apart. */
const PAUSE_FRAMES = 3;

/** What one packet of a key says (RFC 4733, section 2.3). */
export interface KeyPacket {
  readonly payload: Buffer;
  readonly marker: boolean;
  /** All packets of a key have the timestamp of its beginning. */
  readonly timestamp: number;
}

/** Keys that wait to be sent, a packet in each frame. */
export class KeySender {
  readonly #waiting: { readonly event: number; readonly done: () => void }[] = [];
  #startedAt = 0;
  #packets = 0;
  #pause = 0;

  /** Resolves when the key has been sent. */
  press(key: string): Promise<void> {
    const event = KEYS.indexOf(key);
    if (event < 0) return Promise.resolve();
    return new Promise((done) => {
      this.#waiting.push({ event, done });
    });
  }

  /** The packet for the frame at this timestamp; undefined when audio may be sent. */
  next(timestamp: number): KeyPacket | undefined {
    const [current] = this.#waiting;
    if (this.#pause > 0) this.#pause -= 1;
    if (!current || this.#pause > 0) return undefined;
    if (this.#packets === 0) this.#startedAt = timestamp;
    const duration = Math.min(this.#packets + 1, KEY_FRAMES) * FRAME_SAMPLES;
    const isEnd = this.#packets >= KEY_FRAMES - 1;
    const payload = Buffer.from([current.event, (isEnd ? END_BIT : 0) | VOLUME, duration >> 8, duration & 0xff]);
    const marker = this.#packets === 0;
    this.#packets += 1;
    if (this.#packets === PACKETS) {
      this.#packets = 0;
      this.#pause = PAUSE_FRAMES;
      this.#waiting.shift();
      current.done();
    }
    return { payload, marker, timestamp: this.#startedAt };
  }

  /** Nothing more is sent. */
  close(): void {
    for (const { done } of this.#waiting.splice(0)) done();
  }
}

/** Recognises each key once, at the first of its packets that arrives. */
export class KeyReceiver {
  #lastTimestamp: number | undefined;

  /** The key that begins with this packet. */
  receive(payload: Buffer, timestamp: number): string | undefined {
    const key = KEYS[payload[0] ?? KEYS.length];
    if (key === undefined || payload.length < 4) return undefined;
    // Also a late packet of a key before.
    if (this.#lastTimestamp !== undefined && timestampsBetween(this.#lastTimestamp, timestamp) <= 0) return undefined;
    this.#lastTimestamp = timestamp;
    return key;
  }

  /** Another source has timestamps of its own. */
  reset(): void {
    this.#lastTimestamp = undefined;
  }
}
