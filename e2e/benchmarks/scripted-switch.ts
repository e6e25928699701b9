import { randomUUID } from 'node:crypto';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import {
  type Command,
  CommandReader,
  encodeApiResponse,
  encodeAuthRequest,
  encodeEvent,
  encodeReply,
} from '@parley/event-socket';

/** The event socket of a switch that does nothing but what a set-up needs, and so costs next to nothing itself. */
export interface ScriptedSwitch {
  /** The value for SWITCHES. */
  readonly url: string;
  /** True while a client reads its events. */
  readonly isRead: boolean;
  /** A customer calls, hears what is played, and is hung up; resolves then. */
  call(from: string, to: string): Promise<void>;
  stop(): Promise<void>;
}

interface Caller {
  readonly from: string;
  readonly to: string;
  onEnd(): void;
}

const PROMPT_MS = 300;

export async function startScriptedSwitch(): Promise<ScriptedSwitch> {
  const coreUuid = randomUUID();
  const callers = new Map<string, Caller>();
  const sockets = new Set<Socket>();
  const readers = new Set<Socket>();

  function publish(name: string, legId: string, more: Record<string, string>): void {
    const { from = '', to = '' } = callers.get(legId) ?? {};
    const event = encodeEvent({ ...eventHeaders({ name, coreUuid, legId, from, to }), ...more }, undefined, 'json');
    for (const socket of readers) socket.write(event);
  }

  /** The effects of a command are reported after its response. */
  function run({ line, headers }: Command): { answer: Buffer; after?: () => void } {
    const [word, name, legId = ''] = line.split(' ');
    if (word === 'sendmsg' && headers.get('execute-app-name') === 'playback') {
      const played = {
        Application: 'playback',
        'Application-UUID': headers.get('event-uuid') ?? '',
        'Application-Response': 'FILE PLAYED',
      };
      const finish = () => callers.has(name ?? '') && publish('CHANNEL_EXECUTE_COMPLETE', name ?? '', played);
      return { answer: encodeReply('+OK'), after: () => void setTimeout(finish, PROMPT_MS) };
    }
    if (word !== 'api') return { answer: encodeReply('+OK') };
    switch (name) {
      case 'global_getvar':
        return { answer: encodeApiResponse(coreUuid) };
      case 'show':
        return { answer: encodeApiResponse('{"row_count":0}\n') };
      case 'sofia':
        return { answer: encodeApiResponse('<profile><registrations></registrations></profile>') };
      case 'uuid_exists':
        return { answer: encodeApiResponse(String(callers.has(legId))) };
      case 'uuid_answer':
        return { answer: encodeApiResponse('+OK\n'), after: () => publish('CHANNEL_ANSWER', legId, {}) };
      case 'uuid_kill':
        return { answer: encodeApiResponse('+OK\n'), after: () => end(legId) };
      default:
        return { answer: encodeApiResponse('+OK\n') };
    }
  }

  function end(legId: string): void {
    publish('CHANNEL_HANGUP_COMPLETE', legId, { 'Hangup-Cause': 'NORMAL_CLEARING' });
    callers.get(legId)?.onEnd();
    callers.delete(legId);
  }

  const server = createServer((socket) => {
    sockets.add(socket);
    const reader = new CommandReader();
    socket.setNoDelay(true);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      sockets.delete(socket);
      readers.delete(socket);
    });
    socket.on('data', (chunk) => {
      for (const command of reader.push(chunk).items) {
        if (command.line.startsWith('event ') && command.line.includes('CHANNEL_PARK')) readers.add(socket);
        const { answer, after } = run(command);
        socket.write(answer);
        after?.();
      }
    });
    socket.write(encodeAuthRequest());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    url: `esl://call-control:password@127.0.0.1:${(server.address() as AddressInfo).port}`,
    get isRead() {
      return readers.size > 0;
    },
    call: (from, to) =>
      new Promise((resolve) => {
        const legId = randomUUID();
        callers.set(legId, { from, to, onEnd: resolve });
        publish('CHANNEL_PARK', legId, {});
      }),
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Events have as many headers as those of a real switch, so that parsing them costs the same. */
function eventHeaders(about: { name: string; coreUuid: string; legId: string; from: string; to: string }) {
  const { name, coreUuid, legId, from, to } = about;
  const variables = Array.from({ length: 60 }, (_, index) => [`variable_of_the_channel_${index}`, `${legId} ${index}`]);
  return {
    'Event-Name': name,
    'Core-UUID': coreUuid,
    'Unique-ID': legId,
    'Call-Direction': 'inbound',
    'Caller-Caller-ID-Number': from,
    'Caller-Destination-Number': to,
    'Channel-Name': `sofia/carriers/${from}@127.0.0.1`,
    ...(Object.fromEntries(variables) as Record<string, string>),
  };
}
