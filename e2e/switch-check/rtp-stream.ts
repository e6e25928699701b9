import { once } from 'node:events';
import { createSocket, type Socket } from 'node:dgram';
import { decodeG711, encodeG711 } from '@parley/audio';
import { type AgreedAudio, FRAME_SAMPLES, KeySender, paceFrames, readRtp, SAMPLE_RATE, writeRtp } from '@parley/sip';

/** Five seconds are kept. */
const RECEIVED_MAX = 40_000;

/** The audio of one phone: sends samples and records what it receives, packet by packet. */
export interface RtpStream {
  readonly port: number;
  connect(agreed: AgreedAudio): void;
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
  socket.bind(0, ip);
  await once(socket, 'listening');
  let agreed: AgreedAudio | undefined;
  let [sequence, timestamp, clock] = [1, 0, 0];
  const source = Math.floor(Math.random() * 0xffffffff);
  let hertz: number | null = null;
  let speech: { samples: Int16Array; at: number; done: () => void } | undefined;
  const keys = new KeySender();
  const received: number[] = [];

  socket.on('message', (bytes) => {
    const packet = readRtp(bytes);
    if (!agreed || packet?.payloadType !== agreed.payloadType) return;
    received.push(...decodeG711(agreed.codec, packet.payload));
    if (received.length > RECEIVED_MAX) received.splice(0, received.length - RECEIVED_MAX);
  });

  function nextSample(): number {
    if (speech) {
      const sample = speech.samples[speech.at++] ?? 0;
      if (speech.at >= speech.samples.length) {
        speech.done();
        speech = undefined;
      }
      return sample;
    }
    clock += 1;
    return hertz === null ? 0 : Math.round(8000 * Math.sin((2 * Math.PI * hertz * clock) / SAMPLE_RATE));
  }

  const sending = paceFrames((skipped) => {
    timestamp += (skipped + 1) * FRAME_SAMPLES;
    if (!agreed) return;
    const key = agreed.keysPayloadType === undefined ? undefined : keys.next(timestamp);
    const audio = key ? undefined : Int16Array.from({ length: FRAME_SAMPLES }, nextSample);
    const packet = writeRtp({
      payloadType: key ? agreed.keysPayloadType! : agreed.payloadType,
      marker: key?.marker ?? false,
      sequence: sequence++,
      timestamp: key?.timestamp ?? timestamp,
      source,
      payload: key?.payload ?? encodeG711(agreed.codec, audio!),
    });
    socket.send(packet, agreed.port, agreed.address);
  });

  return {
    port: socket.address().port,
    connect(audio) {
      agreed = audio;
    },
    tone(pitch) {
      hertz = pitch;
    },
    speak: (samples) =>
      new Promise((done) => {
        speech = { samples, at: 0, done };
      }),
    press: (digit) => keys.press(digit),
    received: (ms) => received.slice(-ms * 8),
    close() {
      sending.stop();
      socket.close();
      // The other side may hang up when it has the first of a key's last packets.
      keys.close();
      speech?.done();
    },
  };
}
