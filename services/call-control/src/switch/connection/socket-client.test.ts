import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  CommandReader,
  type Command,
  encodeApiResponse,
  encodeAuthRequest,
  encodeEvent,
  encodeReply,
  UnsafeCommand,
} from '@parley/event-socket';
import { connectSocket, LoginRefused, type SocketConnection, SwitchUnreachable } from './socket-client.ts';

/** A switch that responds as the test requires and accepts every login. */
let answer: (command: Command, socket: Socket) => void;
let server: Server;
let port: number;
let connection: SocketConnection | undefined;
const stopping = new AbortController();

beforeEach(async () => {
  answer = (command, socket) =>
    void socket.write(command.line.startsWith('api') ? encodeApiResponse(command.line) : encodeReply('+OK'));
  server = createServer((socket) => {
    const reader = new CommandReader();
    socket.on('error', () => {});
    socket.write(encodeAuthRequest());
    socket.on('data', (chunk) => reader.push(chunk).items.forEach((command) => answer(command, socket)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as { port: number }).port;
});
afterEach(async () => {
  connection?.close();
  await new Promise((resolve) => server.close(resolve));
});

const connect = async (options: Partial<Parameters<typeof connectSocket>[0]> = {}) => {
  const address = { host: '127.0.0.1', port, login: 'auth secret' };
  const base = { address, subscription: 'BACKGROUND_JOB', onEvent: () => {}, signal: stopping.signal };
  connection = await connectSocket({ ...base, ...options });
  return connection;
};

describe('a connection to a switch', () => {
  it('a connection to a switch ends when its receiver of events fails, and nothing else does', async () => {
    const socket = await connect({
      onEvent: () => {
        throw new Error('a defect');
      },
    });
    answer = (_command, peer) => void peer.write(encodeEvent({ 'Event-Name': 'BACKGROUND_JOB' }, undefined, 'json'));
    await expect(socket.send('api echo')).rejects.toThrow('a defect');
    expect(await socket.ended).toBe('a defect');
  });

  it('a connection to a switch gives each command its own reply, in order', async () => {
    const socket = await connect();
    const replies = await Promise.all(['api echo 1', 'api echo 2', 'api echo 3'].map((line) => socket.send(line)));
    expect(replies.map(({ text }) => text)).toEqual(['api echo 1', 'api echo 2', 'api echo 3']);
  });

  it('a connection to a switch ends when a reply does not come in time, and never gives it to the next command', async () => {
    const socket = await connect({ replyLimitMs: 50 });
    answer = () => {};
    const [first, second] = [socket.send('api sleep'), socket.send('api echo')];
    await expect(first).rejects.toMatchObject({ name: 'SwitchUnreachable', isSent: true });
    await expect(second).rejects.toThrow(SwitchUnreachable);
    await expect(socket.send('api late')).rejects.toMatchObject({ isSent: false });
    expect(await socket.ended).toMatch(/in time/);
  });

  it('a connection to a switch ends with its pending commands when the connection is lost', async () => {
    const socket = await connect();
    answer = (_command, peer) => peer.destroy();
    await expect(socket.send('api x')).rejects.toThrow(SwitchUnreachable);
    expect(socket.isOpen).toBe(false);
  });

  it('a connection to a switch ends on an unexpected reply', async () => {
    const socket = await connect();
    answer = (_command, peer) => void peer.write(Buffer.concat([encodeReply('+OK'), encodeReply('+OK')]));
    await socket.send('api x');
    expect(await socket.ended).toMatch(/unexpected reply/);
  });

  it('a connection to a switch refuses to send a second command inside the first', async () => {
    const socket = await connect();
    expect(() => socket.send('api echo x\n\napi system id')).toThrow(UnsafeCommand);
  });

  it('a connection to a switch reports a refused login', async () => {
    answer = (_command, socket) => void socket.write(encodeReply('-ERR invalid'));
    await expect(connect()).rejects.toThrow(LoginRefused);
  });

  it('a connection to a switch gives a job the result that carries its id, even if it comes first', async () => {
    const socket = await connect();
    answer = ({ headers }, peer) => {
      const event = { 'Event-Name': 'BACKGROUND_JOB', 'Job-UUID': headers.get('job-uuid') ?? '' };
      peer.write(Buffer.concat([encodeEvent(event, '-ERR USER_BUSY\n', 'json'), encodeReply('+OK Job-UUID: x')]));
    };
    expect(await socket.runJob('originate x', 'job-1', 1000)).toEqual({ ok: false, text: '-ERR USER_BUSY' });
  });
});
