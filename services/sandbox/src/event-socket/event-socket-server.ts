import { createServer, type Server, type Socket } from 'node:net';
import type { Switch } from '../switch/switch.ts';
import type { Credentials } from './accounts.ts';
import { Connection } from './connection.ts';

export interface EventSocketOptions {
  host: string;
  port: number;
  credentials: Credentials;
  /** The switch that new connections reach. */
  network: () => Switch;
}

const HEARTBEAT_MS = 20_000;

/** The port of FreeSWITCH's event socket; it can be closed and opened again. */
export class EventSocketServer {
  readonly #options: EventSocketOptions;
  readonly #sockets = new Set<Socket>();
  readonly #heartbeat: NodeJS.Timeout;
  #server: Server | undefined;
  /** One change at a time: up and down may be requested while the last one is in progress. */
  #changing: Promise<void> = Promise.resolve();
  #isDropping = false;

  constructor(options: EventSocketOptions) {
    this.#options = options;
    this.#heartbeat = setInterval(() => this.#publishHeartbeat(), HEARTBEAT_MS);
  }

  up(): Promise<void> {
    return this.#change(false, () => this.#listen());
  }

  /** Every connection is dropped without notice, new ones too: the switch runs, but is unreachable. */
  unreachable(): Promise<void> {
    return this.#change(true, async () => this.#drop());
  }

  /** Nothing listens any more, as after the end of the process. */
  down(): Promise<void> {
    return this.#change(false, () => this.#close());
  }

  #change(isDropping: boolean, work: () => Promise<void>): Promise<void> {
    return (this.#changing = this.#changing.then(() => {
      this.#isDropping = isDropping;
      return work();
    }));
  }

  async stop(): Promise<void> {
    clearInterval(this.#heartbeat);
    await this.down();
  }

  async #listen(): Promise<void> {
    if (this.#server) return;
    const { host, port, credentials, network } = this.#options;
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      if (this.#isDropping) return void socket.destroy();
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
      new Connection(socket, network(), credentials);
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, resolve);
    });
    this.#server = server;
  }

  async #close(): Promise<void> {
    const server = this.#server;
    if (!server) return;
    this.#server = undefined;
    const closed = new Promise((resolve) => server.close(resolve));
    this.#drop();
    await closed;
  }

  #drop(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  #publishHeartbeat(): void {
    const { core, channels, sessionCount } = this.#options.network();
    const upMs = core.clock.now().getTime() - core.startedAt;
    core.publish('HEARTBEAT', {
      'Event-Info': 'System Ready',
      'Up-Time': `0 years, 0 days, 0 hours, 0 minutes, ${Math.floor(upMs / 1000)} seconds, 0 milliseconds, 0 microseconds`,
      'FreeSWITCH-Version': 'sandbox',
      'Uptime-msec': String(upMs),
      'Session-Count': String(channels.size),
      'Max-Sessions': '10000',
      'Session-Since-Startup': String(sessionCount),
      'Heartbeat-Interval': String(HEARTBEAT_MS / 1000),
    });
  }
}
