import path from 'node:path';
import { type EmbeddedMongo, type EmbeddedNats, startMongo, startNats } from '@parley/embedded';
import { natsPermissions, natsServices } from '@parley/events/nats-permissions';
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
  readonly log: (line: string) => void;
  readonly signal: AbortSignal;
}

/** Starts one MongoDB engine per service and a NATS, except where servers are given. */
export async function startInfrastructure(options: InfrastructureOptions): Promise<Infrastructure> {
  const { services, dataDir, socketDir, natsPasswords, mongoUrl, natsUrl, log } = options;
  const engines = new Map<string, EmbeddedMongo>();
  let nats: EmbeddedNats | undefined;
  const engineStarters = services.map((name) => async (signal: AbortSignal) => {
    const engine = await startMongo({
      name,
      dataDir: path.join(dataDir, 'mongo', name),
      socketDir,
      restart: true,
      log,
      signal,
    });
    engines.set(name, engine);
    return engine;
  });
  const natsStarter = async (signal: AbortSignal) => {
    const storeDir = path.join(dataDir, 'nats');
    const users = natsServices.map((service) => ({
      user: service,
      password: natsPasswords[service]!,
      permissions: natsPermissions(service, { testClock: true }),
    }));
    return (nats = await startNats({ storeDir, users, restart: true, log, signal }));
  };
  const starters = [...(mongoUrl ? [] : engineStarters), ...(natsUrl ? [] : [natsStarter])];
  const started = await startAll<Stoppable>(starters, options.signal);
  const accessOf = (service: string) =>
    natsUrl ? natsAccess(natsUrl) : { url: nats!.url, user: service, password: natsPasswords[service]! };

  return {
    mongoUrls: Object.fromEntries(services.map((name) => [name, mongoUrl ?? engines.get(name)!.url])),
    nats: Object.fromEntries(natsServices.map((service) => [service, accessOf(service)])),
    processes: () => [
      ...[...engines].map(([name, engine]) => ({ name: `mongo-${name}`, pid: engine.pid })),
      ...(nats ? [{ name: 'nats', pid: nats.pid }] : []),
    ],
    stop: async () => void (await Promise.all(started.map((one) => one.stop()))),
  };
}
