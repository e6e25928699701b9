import { type AddressInfo, createServer } from 'node:net';
import { expect, it, jest } from '@jest/globals';
import { systemClock } from '@parley/clock';
import type { Logger } from '@parley/telemetry';
import { waitUntil } from '@parley/testkit';
import { openSwitchLink } from './switch-link-client.ts';

/** A port of this machine; `answer` is all that it says, and without one nothing listens there. */
async function port(answer: string | undefined, onConnection: () => void) {
  const server = createServer((socket) => {
    onConnection();
    socket.on('error', () => {});
    socket.end(answer ?? '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port: number } = server.address() as AddressInfo;
  const close = () => new Promise((resolve) => server.close(resolve));
  if (answer === undefined) await close();
  return { number, close: answer === undefined ? async () => {} : close };
}

it.each([
  ['nothing listens', undefined, /ECONNREFUSED/],
  [
    'the list of the switch does not have this machine',
    'Content-Type: text/rude-rejection\nContent-Length: 24\n\nAccess Denied, go away.\n',
    /does not take connections from here/,
  ],
])('a switch that cannot be reached because %s is logged by name, once', async (_title, answer, reason) => {
  let connections = 0;
  const at = await port(answer, () => (connections += 1));
  const warn = jest.fn();
  const link = openSwitchLink({
    name: 'switch-1',
    address: { host: '127.0.0.1', port: at.number, login: 'auth x' },
    subscription: 'BACKGROUND_JOB',
    machineClock: systemClock,
    log: { warn, error: jest.fn(), info: jest.fn() } as unknown as Logger,
  });
  await waitUntil(() => warn.mock.calls.length > 0, { what: 'a warning' });
  // It tries again, and has nothing new to say.
  if (answer !== undefined) await waitUntil(() => connections >= 3, { what: 'further attempts' });
  expect(warn.mock.calls).toEqual([
    [{ switch: 'switch-1', reason: expect.stringMatching(reason) }, 'the switch cannot be reached; trying again'],
  ]);
  await link.stop();
  await at.close();
});
