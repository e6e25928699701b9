import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { waitUntil } from '@parley/testkit';
import { encodeG711 } from '@parley/audio';
import { PlayoutQueue } from '../audio/playout-queue.ts';
import type { AgreedAudio } from '../sdp/offer-answer.ts';
import { AudioStream } from './audio-stream.ts';
import { RtpPorts } from './rtp-ports.ts';
import { readRtp, type RtpPacket, writeRtp } from './rtp-packet.ts';

let stream: AudioStream;
let other: Socket;
let playout: PlayoutQueue;
let received: RtpPacket[];
let peaks: number[];
let keys: string[];

async function socketAt(address: string): Promise<Socket> {
  const socket = createSocket('udp4');
  socket.bind(0, address);
  await once(socket, 'listening');
  return socket;
}

const agreed = (change: Partial<AgreedAudio> = {}): AgreedAudio => ({
  address: '127.0.0.1',
  port: other.address().port,
  codec: 'PCMA',
  payloadType: 8,
  keysPayloadType: 101,
  direction: 'sendrecv',
  ...change,
});

beforeEach(async () => {
  [received, peaks, keys] = [[], [], []];
  other = await socketAt('127.0.0.1');
  other.on('message', (bytes) => received.push(readRtp(bytes)!));
  playout = new PlayoutQueue();
  stream = new AudioStream({
    socket: (await new RtpPorts('127.0.0.1', 'any').open())!,
    source: playout,
    allows: () => false,
    events: { audio: ({ samples }) => void peaks.push(Math.max(...samples)), key: (key) => void keys.push(key) },
  });
});
afterEach(() => {
  stream.close();
  other.close();
});

const loud = encodeG711('PCMA', new Int16Array(160).fill(8000));
function send(sequence: number, change: Partial<RtpPacket> = {}, socket = other): void {
  const packet = {
    payloadType: 8,
    marker: false,
    sequence,
    timestamp: sequence * 160,
    source: 7,
    payload: loud,
    ...change,
  };
  socket.send(writeRtp(packet), stream.port, '127.0.0.1');
}

describe('AudioStream', () => {
  it('AudioStream sends a packet for every frame, numbered without gaps, and marks the first', async () => {
    stream.connect(agreed());
    playout.play(new Int16Array(800).fill(8000));
    await waitUntil(() => received.length >= 10, { what: 'ten packets' });
    const first = received[0]!;
    received.forEach((packet, at) => {
      expect(packet.sequence).toBe((first.sequence + at) & 0xffff);
      expect([packet.payloadType, packet.payload.length, packet.marker]).toEqual([8, 160, at === 0]);
    });
    expect((received[1]!.timestamp - first.timestamp) >>> 0).toBe(160);
  });

  it('AudioStream sends nothing while the other side has it on hold, and marks what follows', async () => {
    stream.connect(agreed({ direction: 'recvonly' }));
    await waitUntil(() => peaks.length > 5, { what: 'frames' });
    expect(received).toEqual([]);
    stream.connect(agreed());
    await waitUntil(() => received.length > 0, { what: 'a packet' });
    expect(received[0]!.marker).toBe(true);
  });

  it('AudioStream hears the other side, and a stream that begins anew', async () => {
    stream.connect(agreed());
    for (let sequence = 1; sequence <= 5; sequence += 1) send(sequence);
    await waitUntil(() => peaks.filter((peak) => peak > 7000).length >= 4, { what: 'the audio' });
    for (let sequence = 50_000; sequence < 50_005; sequence += 1) send(sequence, { source: 8, timestamp: sequence });
    await waitUntil(() => peaks.filter((peak) => peak > 7000).length >= 6, { what: 'the new audio' });
    expect(stream.silentMs).toBeLessThan(5000);
  });

  it('AudioStream takes nothing from other addresses, of other kinds or without sense', async () => {
    stream.connect(agreed());
    const stranger = await socketAt('127.0.0.2');
    for (let sequence = 1; sequence <= 20; sequence += 1) {
      send(sequence, {}, stranger);
      send(sequence, { payloadType: 96 });
      send(sequence, { payload: Buffer.alloc(0) });
      send(sequence, { payload: Buffer.alloc(1700, 0xaa) });
      other.send(randomBytes(sequence * 7), stream.port, '127.0.0.1');
      send(sequence, { payloadType: 101, payload: randomBytes(3) });
    }
    send(21, { payloadType: 101, payload: Buffer.from([5, 10, 0, 160]), timestamp: 99 });
    await waitUntil(() => keys.length > 0, { what: 'the key' });
    expect(keys).toEqual(['5']);
    await waitUntil(() => peaks.length > 10, { what: 'frames' });
    stranger.close();
    // 0xaa is the loudest sample: packets that are longer than any of a telephone are left out.
    expect(peaks.every((peak) => peak < 32_000)).toBe(true);
  });

  it('AudioStream leaves nobody waiting when it is closed, twice', async () => {
    stream.connect(agreed());
    const pressed = stream.press('1');
    stream.close();
    stream.close();
    await pressed;
    await stream.press('2');
    stream.connect(agreed());
    expect(peaks.length).toBeLessThan(50);
  });
});

describe('RtpPorts', () => {
  it('RtpPorts gives even ports, each once, and again when they are free', async () => {
    const ports = new RtpPorts('127.0.0.1', { first: 43_001, last: 43_005 });
    const [one, two, none] = [await ports.open(), await ports.open(), await ports.open()];
    expect([one?.address().port, two?.address().port, none]).toEqual([43_002, 43_004, undefined]);
    const closed = once(one!, 'close');
    one!.close();
    await closed;
    const again = await ports.open();
    expect(again?.address().port).toBe(43_002);
    for (const socket of [two, again]) socket?.close();
  });

  it('RtpPorts passes a port over that another process has', async () => {
    const taken = await socketAt('127.0.0.1');
    const { port } = taken.address();
    const first = port - (port % 2);
    const ports = new RtpPorts('127.0.0.1', { first, last: first + 2 });
    const opened = await ports.open();
    expect(opened?.address().port).toBe(port % 2 === 0 ? first + 2 : first);
    opened?.close();
    taken.close();
  });
});
