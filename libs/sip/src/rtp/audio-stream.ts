import { randomInt } from 'node:crypto';
import type { RemoteInfo, Socket } from 'node:dgram';
import { decodeG711, encodeG711 } from '@parley/audio';
import { FRAME_SAMPLES, type FrameSource } from '../audio/frames.ts';
import { paceFrames } from '../audio/frame-pacer.ts';
import { type AgreedAudio, sends } from '../sdp/offer-answer.ts';
import { type AudioFrame, FrameDelivery } from './frame-delivery.ts';
import { JitterBuffer, type JitterStatistics } from './jitter-buffer.ts';
import { readRtp, writeRtp } from './rtp-packet.ts';
import { KeyReceiver, KeySender } from './telephone-event.ts';

export interface AudioEvents {
  /** Every 20 ms, whether something arrived or not. */
  audio(frame: AudioFrame): void;
  /** A key that the other side pressed. */
  key(key: string): void;
}

export interface AudioStreamOptions {
  readonly socket: Socket;
  /** What is sent. */
  readonly source: FrameSource;
  readonly events: AudioEvents;
  /** Whether packets from an address count that the other side has not named. */
  readonly allows: (address: string) => boolean;
}

/** Live audio is caught up after delays of the process up to this. */
const LIVE_LATE_MAX_MS = 500;

/** The audio of one call, in both directions: RTP on one UDP port, from `connect` on. */
export class AudioStream {
  readonly port: number;
  readonly #socket: Socket;
  readonly #source: FrameSource;
  readonly #events: AudioEvents;
  readonly #allows: (address: string) => boolean;
  readonly #jitter = new JitterBuffer();
  readonly #delivery: FrameDelivery;
  readonly #keysSent = new KeySender();
  readonly #keysReceived = new KeyReceiver();
  readonly #ownSource = randomInt(2 ** 32);
  #sequence = randomInt(2 ** 16);
  #timestamp = randomInt(2 ** 32);
  /** The first packet after a pause is marked. */
  #isFirst = true;
  #agreed: AgreedAudio | undefined;
  #theirSource: number | undefined;
  #heardAt = performance.now();
  #pacer: { stop(): void } | undefined;
  #isClosed = false;

  constructor({ socket, source, events, allows }: AudioStreamOptions) {
    this.#socket = socket;
    this.#source = source;
    this.#events = events;
    this.#allows = allows;
    this.#delivery = new FrameDelivery(this.#jitter, (frame) => {
      if (!this.#isClosed) events.audio(frame);
    });
    this.port = socket.address().port;
    socket.on('message', (packet, from) => this.#receive(packet, from));
    // Such as ECONNREFUSED, when the other side is not there yet or any more.
    socket.on('error', () => undefined);
  }

  /** Starts, or changes to what was agreed anew. */
  connect(agreed: AgreedAudio): void {
    if (this.#isClosed) return;
    this.#agreed = agreed;
    if (this.#pacer) return;
    this.#heardAt = performance.now();
    this.#pacer = paceFrames(
      (skipped, lateMs) => this.#frame(skipped, lateMs),
      this.#source.isLive ? LIVE_LATE_MAX_MS : undefined,
    );
  }

  /** Resolves when the key has been sent; nothing is sent to a side that takes no keys. */
  press(key: string): Promise<void> {
    if (this.#isClosed || this.#agreed?.keysPayloadType === undefined) return Promise.resolve();
    return this.#keysSent.press(key);
  }

  /** How long nothing has arrived; since `connect` if nothing ever did. */
  get silentMs(): number {
    return performance.now() - this.#heardAt;
  }

  get statistics(): Readonly<JitterStatistics> & { readonly delayMs: number } {
    return { ...this.#jitter.statistics, delayMs: this.#jitter.delayMs };
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#pacer?.stop();
    this.#keysSent.close();
    this.#socket.close();
  }

  #frame(skipped: number, lateMs: number): void {
    this.#delivery.tick(skipped, lateMs);
    if (this.#isClosed) return;
    this.#timestamp = (this.#timestamp + skipped * FRAME_SAMPLES) >>> 0;
    if (skipped > 0) this.#isFirst = true;
    this.#send();
    this.#timestamp = (this.#timestamp + FRAME_SAMPLES) >>> 0;
  }

  #send(): void {
    const agreed = this.#agreed!;
    const samples = this.#source.take(FRAME_SAMPLES);
    if (!sends(agreed)) {
      this.#isFirst = true;
      return;
    }
    const { codec, payloadType, keysPayloadType } = agreed;
    const key = keysPayloadType === undefined ? undefined : this.#keysSent.next(this.#timestamp);
    const packet = writeRtp({
      payloadType: key ? keysPayloadType! : payloadType,
      marker: key ? key.marker : this.#isFirst,
      sequence: (this.#sequence = (this.#sequence + 1) & 0xffff),
      timestamp: key ? key.timestamp : this.#timestamp,
      source: this.#ownSource,
      payload: key ? key.payload : encodeG711(codec, samples),
    });
    this.#isFirst = false;
    this.#socket.send(packet, agreed.port, agreed.address, () => undefined);
  }

  #receive(bytes: Buffer, from: RemoteInfo): void {
    const agreed = this.#agreed;
    if (!agreed || this.#isClosed) return;
    if (from.address !== agreed.address && !this.#allows(from.address)) return;
    const packet = readRtp(bytes);
    if (!packet) return;
    const isAudio = packet.payloadType === agreed.payloadType;
    if (!isAudio && packet.payloadType !== agreed.keysPayloadType) return;
    this.#heardAt = performance.now();
    if (packet.source !== this.#theirSource) {
      this.#theirSource = packet.source;
      this.#jitter.reset();
      this.#keysReceived.reset();
    }
    if (isAudio) return this.#jitter.push(packet.timestamp, decodeG711(agreed.codec, packet.payload));
    const key = this.#keysReceived.receive(packet.payload, packet.timestamp);
    if (key !== undefined) this.#events.key(key);
  }
}
