import { createServer, type Socket } from 'node:net';
import { CommandReader, encodeAuthRequest, encodeReply } from '@parley/event-socket';
import type { Random } from '../support/random.ts';

/** A switch that lets call-control sign in and then sends whatever it likes. */
export interface HostileSwitch {
  readonly port: number;
  readonly sent: { connections: number; frames: number };
  stop(): Promise<void>;
}

const NAMES = [
  'CHANNEL_CREATE',
  'CHANNEL_ANSWER',
  'CHANNEL_HANGUP_COMPLETE',
  'CHANNEL_PARK',
  'BACKGROUND_JOB',
  'CUSTOM',
  'HEARTBEAT',
  'X',
];
const FIELDS = [
  'Unique-ID',
  'Event-Subclass',
  'Call-Direction',
  'Caller-Caller-ID-Name',
  'Caller-Caller-ID-Number',
  'Caller-Destination-Number',
  'Event-Date-Timestamp',
  'Event-Sequence',
  'Core-UUID',
  'FreeSWITCH-Hostname',
  'Job-UUID',
  'Hangup-Cause',
  'variable_sip_h_X-Business-Number',
  'variable_parley_leg',
  'variable_parley_call',
  'Content-Length',
  '__proto__',
  'constructor',
];
const VALUES = [
  '""',
  '"x"',
  '"+4520304050"',
  '"\\u0000\\u202e"',
  'null',
  '-1',
  '1e999',
  '[]',
  '["a",{"toString":1}]',
  '{"toString":1}',
  '[[[[]]]]',
  `"${'x'.repeat(3000)}"`,
  '"%00%ff%"',
  '"9999999999999999999"',
];
const FRAMES_PER_CONNECTION = 40;

export async function startHostileSwitch(port: number, random: Random): Promise<HostileSwitch> {
  const sent = { connections: 0, frames: 0 };
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sent.connections += 1;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    if (random.chance(0.2)) return void socket.end(random.bytes(random.below(500)));
    socket.write(encodeAuthRequest());
    const reader = new CommandReader();
    let commands = 0;
    socket.on('data', (chunk) => {
      for (const _ of reader.push(chunk).items) {
        commands += 1;
        if (random.chance(0.1)) socket.write(frame(random));
        if (socket.writable)
          socket.write(random.chance(0.95) ? encodeReply('+OK') : encodeReply(random.mutated('-ERR x')));
        if (commands === 2) attack(socket);
      }
    });
  });

  function attack(socket: Socket): void {
    for (let count = 0; count < FRAMES_PER_CONNECTION && socket.writable; count++) {
      socket.write(frame(random));
      sent.frames += 1;
    }
    if (random.chance(0.5)) socket.write(random.bytes(random.below(200)));
    if (random.chance(0.5)) socket.resetAndDestroy();
    else socket.end('Content-Type: text/disconnect-notice\nContent-Length: 5\n\nabcde');
  }

  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    port,
    sent,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

function frame(random: Random): Buffer {
  const fields = Array.from({ length: random.below(12) }, () => `"${random.pick(FIELDS)}":${random.pick(VALUES)}`);
  const json = `{${[`"Event-Name":"${random.pick(NAMES)}"`, ...fields].join(',')}}`;
  const plain = `Event-Name: ${random.pick(NAMES)}\n${FIELDS.map((name) => `${name}: ${random.pick(VALUES)}`).join('\n')}\n\n`;
  const isJson = random.chance(0.7);
  const body = Buffer.from(random.chance(0.2) ? random.mutated(isJson ? json : plain) : isJson ? json : plain);
  const type = random.chance(0.95)
    ? `text/event-${isJson ? 'json' : 'plain'}`
    : random.pick(['text/event-xml', '', 'log/data']);
  return Buffer.concat([Buffer.from(`Content-Length: ${body.length}\nContent-Type: ${type}\n\n`), body]);
}
