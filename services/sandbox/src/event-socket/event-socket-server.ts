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

/** The port of FreeSWITCH's event socket; it can be taken away and brought back. */
export class EventSocketServer {
  readonly #options: EventSocketOptions;
  readonly #sockets = new Set<Socket>();
  readonly #heartbeat: NodeJS.Timeout;
  #server: Server | undefined;
  /** One change at a time: up and down may be asked for while the last one is under way. */
  #changing: Promise<void> = Promise.resolve();

  constructor(options: EventSocketOptions) {
    this.#options = options;
    this.#heartbeat = setInterval(() => this.#publishHeartbeat(), HEARTBEAT_MS);
  }

  up(): Promise<void> {
    return (this.#changing = this.#changing.then(() => this.#listen()));
  }

  /** Connections are dropped without a word, and new ones are refused. */
  down(): Promise<void> {
    return (this.#changing = this.#changing.then(() => this.#close()));
  }

  async stop(): Promise<void> {
    clearInterval(this.#heartbeat);
    await this.down();
  }

  async #listen(): Promise<void> {
    if (this.#server) return;
    const { host, port, credentials, network } = this.#options;
    const server = createServer({ allowHalfOpen: true }, (socket) => {
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
    for (const socket of this.#sockets) socket.destroy();
    await closed;
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
