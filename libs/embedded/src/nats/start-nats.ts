import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { freePort } from '../process/free-port.ts';
import { superviseProcess } from '../process/supervised-process.ts';
import { findNatsServer } from './nats-binary.ts';
import { natsConfig, type NatsUser } from './nats-config.ts';

/** The guard kills its server after 2.5 s; killing the guard would leave the server running. */
const STOP_MS_MAX = 3_500;

export interface NatsOptions {
  /** JetStream's files and the server's configuration (with the passwords); created if missing. */
  readonly storeDir: string;
  /** Without it, a free one. It stays the same over restarts. */
  readonly port?: number;
  readonly users: readonly NatsUser[];
  /** Starts the server again on the same port whenever it exits unexpectedly. */
  readonly restart?: boolean;
  readonly log: (line: string) => void;
  /** Aborts a start that has not finished. */
  readonly signal?: AbortSignal;
}

/** A running nats-server. */
export interface EmbeddedNats {
  /** Without the credentials. */
  readonly url: string;
  readonly port: number;
  /** The server's process, not its guard's. */
  readonly pid: number | undefined;
  /** Replaces its users; connections of those that stay, with the same password, go on. */
  setUsers(users: readonly NatsUser[]): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a nats-server with JetStream on 127.0.0.1 and waits until it serves. */
export async function startNats(options: NatsOptions): Promise<EmbeddedNats> {
  if (options.port !== undefined) return startOn(options.port, options);
  for (let attempt = 1; ; attempt++) {
    try {
      return await startOn(await freePort(), options);
    } catch (error) {
      // Another process has taken the port meanwhile.
      if (attempt === 3 || !(error as Error).message.includes('address already in use')) throw error;
    }
  }
}

async function startOn(port: number, options: NatsOptions): Promise<EmbeddedNats> {
  const { storeDir, users, restart, log, signal } = options;
  const directory = path.resolve(storeDir);
  const configFile = path.join(directory, 'nats.conf');
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const writeConfig = (those: readonly NatsUser[]) =>
    writeFile(configFile, natsConfig({ port, storeDir: directory, users: those }), { mode: 0o600 });
  await writeConfig(users);
  const server = await superviseProcess({
    name: 'NATS',
    program: path.join(import.meta.dirname, 'nats-main.ts'),
    args: [await findNatsServer(), configFile],
    restart,
    log,
    stopMs: STOP_MS_MAX,
    signal,
  });
  return {
    url: `nats://127.0.0.1:${port}`,
    port,
    get pid() {
      return server.pid;
    },
    async setUsers(those) {
      await writeConfig(those);
      if (server.pid !== undefined) process.kill(server.pid, 'SIGHUP'); // it reads its configuration again
    },
    stop: () => server.stop(),
  };
}
