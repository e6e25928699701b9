import { createSocket, type Socket } from 'node:dgram';
import { decodeMuLaw, encodeMuLaw } from './mu-law.ts';

const FRAME = 160;
const FRAME_MS = 20;
const PCMU = 0;
const TELEPHONE_EVENT = 101;
/** Five seconds are kept. */
const RECEIVED_MAX = 40_000;

/** The audio of one phone: sends samples and records what it receives (PCMU, 8 kHz). */
export interface RtpStream {
  readonly port: number;
  connect(host: string, port: number): void;
  /** Sets what is sent: an endless tone, or silence for null. */
  tone(hertz: number | null): void;
  /** Resolves when all samples have been sent. */
  speak(samples: Int16Array): Promise<void>;
  press(digit: string): Promise<void>;
  /** The last received milliseconds. */
  received(ms: number): readonly number[];
  /** Stops sending. */
  close(): void;
}

export async function openRtp(ip: string): Promise<RtpStream> {
  const socket: Socket = createSocket('udp4');
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.bind(0, ip, resolve);
  });
  let target: { host: string; port: number } | undefined;
  let [sequence, timestamp, clock] = [1, 0, 0];
  const source = Math.floor(Math.random() * 0xffffffff);
  let hertz: number | null = null;
  let speech: { samples: Int16Array; at: number; done: () => void } | undefined;
  let keys: { digit: number; steps: number; startedAt: number; done: () => void } | undefined;
  const received: number[] = [];

  socket.on('message', (packet) => {
    if (packet.length < 12 || (packet[1]! & 0x7f) !== PCMU) return;
    for (const byte of packet.subarray(12 + 4 * (packet[0]! & 0x0f))) received.push(decodeMuLaw(byte));
    if (received.length > RECEIVED_MAX) received.splice(0, received.length - RECEIVED_MAX);
  });

  function send(type: number, marker: boolean, at: number, payload: Buffer): void {
    if (!target) return;
    const head = Buffer.alloc(12);
    head.writeUInt8(0x80, 0);
    head.writeUInt8(type | (marker ? 0x80 : 0), 1);
    head.writeUInt16BE(sequence++ & 0xffff, 2);
    head.writeUInt32BE(at >>> 0, 4);
    head.writeUInt32BE(source, 8);
    socket.send(Buffer.concat([head, payload]), target.port, target.host);
  }

  function nextSample(): number {
    if (speech) {
      const sample = speech.samples[speech.at++] ?? 0;
      if (speech.at >= speech.samples.length) {
        speech.done();
        speech = undefined;
      }
      return sample;
    }
    return hertz === null ? 0 : Math.round(8000 * Math.sin((2 * Math.PI * hertz * clock) / 8000));
  }

  /** Eight packets of one event, the last three with the end bit (RFC 4733). */
  function sendKey(key: NonNullable<typeof keys>): void {
    const isEnd = key.steps >= 5;
    const duration = Math.min(key.steps + 1, 6) * FRAME;
    const payload = Buffer.from([key.digit, (isEnd ? 0x80 : 0) | 10, duration >> 8, duration & 0xff]);
    send(TELEPHONE_EVENT, key.steps === 0, key.startedAt, payload);
    if (++key.steps < 8) return;
    keys = undefined;
    key.done();
  }

  const started = performance.now();
  let frames = 0;
  const sending = setInterval(() => {
    while (frames * FRAME_MS < performance.now() - started) {
      frames += 1;
      if (keys) sendKey(keys);
      else {
        const payload = Buffer.alloc(FRAME);
        for (let index = 0; index < FRAME; index++, clock++) payload[index] = encodeMuLaw(nextSample());
        send(PCMU, false, timestamp, payload);
      }
      timestamp += FRAME;
    }
  }, FRAME_MS / 2);

  return {
    port: socket.address().port,
    connect(host, port) {
      target = { host, port };
    },
    tone(pitch) {
      hertz = pitch;
    },
    speak: (samples) =>
      new Promise((done) => {
        speech = { samples, at: 0, done };
      }),
    press: (digit) =>
      new Promise((done) => {
        keys = { digit: '0123456789*#'.indexOf(digit), steps: 0, startedAt: timestamp, done };
      }),
    received: (ms) => received.slice(-ms * 8),
    close() {
      clearInterval(sending);
      socket.close();
      // The other side may hang up when it has the first of a key's last packets.
      keys?.done();
      speech?.done();
    },
  };
}
