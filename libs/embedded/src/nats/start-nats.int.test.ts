import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { findProcesses, waitForExit } from '../process/find-processes.ts';
import { type EmbeddedNats, startNats } from './start-nats.ts';

const PASSWORD = 'a"b\\c$d';

let directory: string;
let nats: EmbeddedNats | undefined;
let connection: NatsConnection | undefined;

beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'parley-'));
});

afterEach(async () => {
  await connection?.close();
  await nats?.stop();
  nats = connection = undefined;
  await rm(directory, { recursive: true });
});

const isOurs = (argv: readonly string[]) => argv.includes(path.join(directory, 'nats.conf'));
const isGuard = (argv: readonly string[]) => isOurs(argv) && argv.some((arg) => arg.endsWith('nats-main.ts'));

/** Starts a server with one stored message; `back` resolves when it has been started again. */
async function startWithMessage() {
  let sayBack: () => void;
  const back = new Promise<void>((resolve) => (sayBack = resolve));
  const log = (line: string) => line.endsWith('has restarted') && sayBack();
  nats = await startNats({ storeDir: directory, users: [{ user: 'parley', password: PASSWORD }], restart: true, log });
  const options = { servers: nats.url, user: 'parley', pass: PASSWORD };
  connection = await connect(options);
  await (await jetstreamManager(connection)).streams.add({ name: 'events', subjects: ['events.>'] });
  await jetstream(connection).publish('events.one', 'first');
  const storedMessages = async () => {
    await connection?.close();
    connection = await connect(options);
    return (await (await jetstreamManager(connection)).streams.info('events')).state.messages;
  };
  return { nats, back, storedMessages };
}

describe('the embedded NATS', () => {
  it('the embedded NATS refuses clients without the password', async () => {
    const { nats } = await startWithMessage();
    await expect(connect({ servers: nats.url })).rejects.toThrow('Authorization Violation');
  });

  it('the embedded NATS takes other users while it runs, keeps the connections of those that stay and ends those of the others', async () => {
    const users = [
      { user: 'parley', password: PASSWORD },
      { user: 'second', password: PASSWORD },
    ];
    nats = await startNats({ storeDir: directory, users: users.slice(0, 1), log: () => {} });
    const { url } = nats;
    const connectAs = (user: string) => connect({ servers: url, user, pass: PASSWORD, reconnect: false });
    connection = await connectAs('parley');
    await expect(connectAs('second')).rejects.toThrow('Authorization Violation');
    await nats.setUsers(users);
    // The server reads its configuration a moment later.
    let second: NatsConnection | undefined;
    while (!second) second = await connectAs('second').catch(() => undefined);
    await connection.flush();
    const ended = connection.closed();
    await nats.setUsers(users.slice(1));
    await ended;
    await second.flush();
    await second.close();
  });

  it('the embedded NATS keeps its streams through kill -9 of the server and restarts on the same port', async () => {
    const { nats, back, storedMessages } = await startWithMessage();
    const killed = nats.pid!;
    process.kill(killed, 'SIGKILL');
    await back;
    expect(nats.pid).not.toBe(killed);
    expect(await storedMessages()).toBe(1);
  });

  it('the embedded NATS ends the server of a guard that was killed and restarts on the same port', async () => {
    const { nats, back, storedMessages } = await startWithMessage();
    const orphan = nats.pid!;
    for (const guard of findProcesses(isGuard)) process.kill(guard, 'SIGKILL');
    await back;
    expect(findProcesses((argv) => isOurs(argv) && !isGuard(argv))).toEqual([nats.pid]);
    expect(nats.pid).not.toBe(orphan);
    expect(await storedMessages()).toBe(1);
  });

  it('the embedded NATS reports in one line which port is taken', async () => {
    const { nats } = await startWithMessage();
    const second = startNats({
      storeDir: path.join(directory, 'second'),
      port: nats.port,
      users: [{ user: 'parley', password: PASSWORD }],
      log: () => {},
    });
    await expect(second).rejects.toThrow(new RegExp(`^NATS could not start: .*127.0.0.1:${nats.port}.*in use`));
  });

  it('the embedded NATS ends with the process that started it', async () => {
    const index = path.join(import.meta.dirname, '../index.ts');
    const program = `
      import { startNats } from ${JSON.stringify(index)};
      await startNats({ storeDir: process.argv[1], users: [{ user: 'a', password: 'b' }], restart: true, log: () => {} });
      process.kill(process.pid, 'SIGKILL');`;
    const args = ['--input-type=module-typescript', '-e', program, directory];
    const how = await new Promise((resolve) => execFile(process.execPath, args, (error) => resolve(error?.signal)));
    expect(how).toBe('SIGKILL');
    expect(await waitForExit(isOurs, 30_000)).toBe(true);
  });
});
