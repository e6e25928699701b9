import path from 'node:path';
import { superviseProcess } from '../process/supervised-process.ts';

/** sizeof(sun_path) on Linux, less its closing zero. */
const SOCKET_PATH_BYTES_MAX = 107;
/** The engine gives itself 2.5 s to close; journalled writes are safe without it. */
const STOP_MS_MAX = 3_500;

/**
 * A driver learns of an engine's end from its operations; greetings in between, each ten seconds by default, tell it nothing new. It polls:
 * one that waited in the engine for news was seen to stay without an end when the engine was killed, and the driver did not connect again.
 */
const HEARTBEAT_MS = 60_000;

export interface MongoOptions {
  /** Created if missing. Only one engine may use it at a time. */
  readonly dataDir: string;
  /** A folder only this user can enter (the engine requires no password), with a short path. */
  readonly socketDir: string;
  /** Distinguishes engines in one `socketDir`, and their log lines. */
  readonly name?: string;
  /** Names of clients that share the engine: each has a socket and at most half of the commands that run at once. */
  readonly clients?: readonly string[];
  /** Starts the engine again on the same socket whenever it exits unexpectedly. */
  readonly restart?: boolean;
  readonly log: (line: string) => void;
  /** Aborts a start that has not finished. */
  readonly signal?: AbortSignal;
}

/** A running embedded MongoDB. */
export interface EmbeddedMongo {
  /** The write concern is a part of it, because only `w=1&journal=true` survives a kill. */
  readonly url: string;
  /** The addresses of the clients by their names. */
  readonly urls: Readonly<Record<string, string>>;
  readonly pid: number | undefined;
  stop(): Promise<void>;
}

/** Starts an embedded MongoDB engine in a child process and waits until it serves. */
export async function startMongo(options: MongoOptions): Promise<EmbeddedMongo> {
  const { dataDir, socketDir, name = 'mongo', restart, log, signal } = options;
  const clients = options.clients ?? [name];
  const socketPaths = clients.map((client) => path.resolve(socketDir, `${client}.sock`));
  const tooLong = socketPaths.find((socketPath) => Buffer.byteLength(socketPath) > SOCKET_PATH_BYTES_MAX);
  if (tooLong) throw new Error(`the socket path ${tooLong} is longer than ${SOCKET_PATH_BYTES_MAX} bytes`);
  const engine = await superviseProcess({
    name: `MongoDB (${name})`,
    program: path.join(import.meta.dirname, 'engine-main.ts'),
    args: [path.resolve(dataDir), ...socketPaths],
    restart,
    log,
    stopMs: STOP_MS_MAX,
    signal,
  });
  const urls = socketPaths.map((socketPath) => urlOf(socketPath));
  return {
    url: urls[0]!,
    urls: Object.fromEntries(clients.map((client, index) => [client, urls[index]!])),
    get pid() {
      return engine.pid;
    },
    stop: () => engine.stop(),
  };
}

const urlOf = (socketPath: string) =>
  `mongodb://${encodeURIComponent(socketPath)}/?w=1&journal=true&directConnection=true&serverMonitoringMode=poll&heartbeatFrequencyMS=${HEARTBEAT_MS}`;
