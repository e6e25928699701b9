import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { type EmbeddedMongo, type EmbeddedNats, type NatsUser, startMongo, startNats } from '@parley/embedded';
import { natsPermissions, natsServices } from '@parley/events/nats-permissions';
import { engineLayout } from './engine-layout.ts';
import { type NatsAccess, natsAccess } from './external-servers.ts';
import { startAll, type Stoppable } from './start-all.ts';

/** The databases and the broker of a stack. */
export interface Infrastructure extends Stoppable {
  /** Keyed by service. */
  readonly mongoUrls: Readonly<Record<string, string>>;
  /** Keyed by service: each has its own user, unless a server is given. */
  readonly nats: Readonly<Record<string, NatsAccess>>;
  /** The processes of the embedded servers. */
  processes(): { name: string; pid: number | undefined }[];
}

export interface InfrastructureOptions {
  /** Services that have a database. */
  readonly services: readonly string[];
  readonly dataDir: string;
  readonly socketDir: string;
  /** Keyed by service. */
  readonly natsPasswords: Readonly<Record<string, string>>;
  /** Servers to use instead of the embedded ones. */
  readonly mongoUrl?: string;
  readonly natsUrl?: string;
  /** `separate`: in a new data directory each service gets a MongoDB engine of its own. */
  readonly processes: 'one' | 'separate';
  readonly log: (line: string) => void;
  readonly signal: AbortSignal;
}

/** The user of each service that uses NATS, which may do only what its service needs. */
export function natsUsers(passwords: Readonly<Record<string, string>>): NatsUser[] {
  return natsServices.map((service) => ({
    user: service,
    password: passwords[service]!,
    permissions: natsPermissions(service, { testClock: true }),
  }));
}

/** Starts the MongoDB engines and a NATS, except where servers are given. */
export async function startInfrastructure(options: InfrastructureOptions): Promise<Infrastructure> {
  const { services, dataDir, socketDir, natsPasswords, mongoUrl, natsUrl, log } = options;
  const enginesDir = path.join(dataDir, 'mongo');
  const existing = existsSync(enginesDir) ? readdirSync(enginesDir) : [];
  const layout = engineLayout(services, { shared: options.processes === 'one', existing });
  const engines = new Map<string, EmbeddedMongo>();
  let nats: EmbeddedNats | undefined;
  const engineStarters = [...layout].map(([name, clients]) => async (signal: AbortSignal) => {
    const engine = await startMongo({
      name,
      dataDir: path.join(enginesDir, name),
      socketDir,
      clients,
      restart: true,
      log,
      signal,
    });
    engines.set(name, engine);
    return engine;
  });
  const natsStarter = async (signal: AbortSignal) => {
    const storeDir = path.join(dataDir, 'nats');
    return (nats = await startNats({ storeDir, users: natsUsers(natsPasswords), restart: true, log, signal }));
  };
  const starters = [...(mongoUrl ? [] : engineStarters), ...(natsUrl ? [] : [natsStarter])];
  const started = await startAll<Stoppable>(starters, options.signal);
  const accessOf = (service: string) =>
    natsUrl ? natsAccess(natsUrl) : { url: nats!.url, user: service, password: natsPasswords[service]! };

  return {
    mongoUrls: mongoUrl
      ? Object.fromEntries(services.map((name) => [name, mongoUrl]))
      : Object.assign({}, ...[...engines.values()].map(({ urls }) => urls)),
    nats: Object.fromEntries(natsServices.map((service) => [service, accessOf(service)])),
    processes: () => [
      ...[...engines].map(([name, engine]) => ({ name: `mongo-${name}`, pid: engine.pid })),
      ...(nats ? [{ name: 'nats', pid: nats.pid }] : []),
    ],
    stop: async () => void (await Promise.all(started.map((one) => one.stop()))),
  };
}
