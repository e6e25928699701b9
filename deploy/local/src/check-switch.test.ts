import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, expect, it } from '@jest/globals';
import { CommandReader, encodeAuthRequest, encodeReply } from '@parley/event-socket';
import { checkSwitch } from './check-switch.ts';

let server: Server | undefined;
afterEach(() => new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve())));

async function listening(onConnection: (socket: Socket) => void) {
  server = createServer((socket) => {
    socket.on('error', () => {});
    onConnection(socket);
  });
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
  return { host: '127.0.0.1', port: (server.address() as AddressInfo).port, login: 'userauth a@b:password' };
}

const eventSocket = (password: string) => (socket: Socket) => {
  const reader = new CommandReader();
  socket.write(encodeAuthRequest());
  socket.on('data', (chunk) => {
    for (const { line } of reader.push(chunk).items)
      socket.write(encodeReply(line.endsWith(`:${password}`) ? '+OK accepted' : '-ERR invalid'));
  });
};

it('a switch that takes the login has no problem', async () => {
  expect(await checkSwitch(await listening(eventSocket('password')))).toBeUndefined();
});

it('a switch with another password refuses it', async () => {
  expect(await checkSwitch(await listening(eventSocket('another')))).toMatch(/refuses the user or the password$/);
});

it('a switch whose list does not have this address says so', async () => {
  const rejection = 'Content-Type: text/rude-rejection\nContent-Length: 24\n\nAccess Denied, go away.\n';
  const problem = await checkSwitch(await listening((socket) => socket.end(rejection)));
  expect(problem).toMatch(/takes no connections from here \(CALL_CONTROL_NETWORKS/);
});

it('a port where nothing listens is named', async () => {
  const at = await listening(() => {});
  await new Promise((resolve) => server!.close(resolve));
  server = undefined;
  expect(await checkSwitch(at)).toBe(`connect ECONNREFUSED 127.0.0.1:${at.port}`);
});
