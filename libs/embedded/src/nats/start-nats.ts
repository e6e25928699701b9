import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { freePort } from '../process/free-port.ts';
import { superviseProcess } from '../process/supervised-process.ts';
import { findNatsServer } from './nats-binary.ts';
import { natsConfig } from './nats-config.ts';

export interface NatsOptions {
  /** JetStream's files and the server's configuration (with the password); created if missing. */
  readonly storeDir: string;
  /** Without it, a free one. It stays the same over restarts. */
  readonly port?: number;
  readonly user: string;
  readonly password: string;
  /** Starts the server again on the same port whenever it ends unasked. */
  readonly restart?: boolean;
  readonly log: (line: string) => void;
}

/** A running nats-server. */
export interface EmbeddedNats {
  /** Without the credentials. */
  readonly url: string;
  readonly port: number;
  /** The server's process, not its guard's. */
  readonly pid: number | undefined;
  stop(): Promise<void>;
}

/** Starts a nats-server with JetStream on 127.0.0.1 and waits until it serves. */
export async function startNats(options: NatsOptions): Promise<EmbeddedNats> {
  if (options.port !== undefined) return startOn(options.port, options);
  for (let attempt = 1; ; attempt++) {
    try {
      return await startOn(await freePort(), options);
    } catch (error) {
      // Somebody was quicker on the port that was free a moment ago.
      if (attempt === 3 || !(error as Error).message.includes('address already in use')) throw error;
    }
  }
}

async function startOn(port: number, { storeDir, user, password, restart, log }: NatsOptions): Promise<EmbeddedNats> {
  const directory = path.resolve(storeDir);
  const configFile = path.join(directory, 'nats.conf');
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await writeFile(configFile, natsConfig({ port, storeDir: directory, user, password }), { mode: 0o600 });
  const server = await superviseProcess({
    name: 'NATS',
    program: path.join(import.meta.dirname, 'nats-main.ts'),
    args: [await findNatsServer(), configFile],
    restart,
    log,
  });
  return {
    url: `nats://127.0.0.1:${port}`,
    port,
    get pid() {
      return server.pid;
    },
    stop: () => server.stop(),
  };
}
