import { type Broker, type FollowerOptions, startFollower } from '@parley/events';
import { migrate, type Migration } from '@parley/mongo';
import { type Relay, relayMigrations, startRelay } from '@parley/aggregates';
import type { Channel, RpcServer } from '@parley/rpc';
import type { Db } from 'mongodb';
import type { z } from 'zod';
import type {
  baseSettings,
  grpcServerSettings,
  mongoSettings,
  natsSettings,
  rpcSettings,
  statefulServiceSettings,
} from './config.ts';
import { type EncryptedTexts, startEncryptionRenewal } from './encryption-renewal.ts';
import type { Lifecycle } from './lifecycle.ts';
import { openBroker, openDatabase, openPeers, openRuntime, serveGrpc, type ServiceRuntime } from './runtime.ts';

type Settings = z.output<
  z.ZodObject<
    typeof baseSettings &
      typeof mongoSettings &
      typeof natsSettings &
      typeof grpcServerSettings &
      typeof rpcSettings &
      Pick<typeof statefulServiceSettings, 'RESTORED_AT'>
  >
>;

interface Declaration<Peer extends string, Publishes extends boolean> {
  readonly name: string;
  /** A service that publishes events has a relay and its own stream. */
  readonly publishes: Publishes;
  /** The addresses of the services that it makes requests to. */
  readonly peers: Readonly<Record<Peer, string>>;
  /** What brings the data of earlier versions into their present form, the oldest first. */
  readonly migrations?: readonly Migration[];
  /** Encrypted anew after a change of the key. */
  readonly encrypted?: EncryptedTexts;
}

export interface FollowsEvents {
  /** Follows events until the service stops. */
  follow(options: Omit<FollowerOptions, 'backgroundWork' | 'telemetry' | 'broker' | 'db'>): Promise<void>;
}

/** The open components of a service with a database. */
export interface StatefulService<Peer extends string, Publishes extends boolean> extends ServiceRuntime, FollowsEvents {
  /** For components that register more than this function opens. */
  readonly runtime: ServiceRuntime;
  readonly db: Db;
  readonly broker: Broker;
  readonly relay: Publishes extends true ? Relay : undefined;
  readonly peers: Readonly<Record<Peer, Channel>>;
  /** Stops something with the service, in reverse order. */
  stopLater(name: string, running: { stop(): Promise<void> }): void;
  /** Serves gRPC; the last step of a start, because the service is ready after it. */
  serve(add: (server: RpcServer) => void): Promise<number>;
}

/**
 * Opens what every service with a database has, in the order in which the parts need each other: telemetry and clock,
 * database with its migrations, broker, relay, channels to its peers. Each part is stopped in reverse order.
 */
export async function openStatefulService<Peer extends string, Publishes extends boolean>(
  declaration: Declaration<Peer, Publishes>,
  config: Settings,
  lifecycle: Lifecycle,
): Promise<StatefulService<Peer, Publishes>> {
  const runtime = await openRuntime(declaration.name, config, lifecycle);
  const { backgroundWork, telemetry } = runtime;
  const db = await openDatabase(runtime, config);
  await migrate(db, [...(declaration.publishes ? relayMigrations : []), ...(declaration.migrations ?? [])]);
  const broker = await openBroker(runtime, config);
  const stopLater = (name: string, running: { stop(): Promise<void> }) => lifecycle.defer(name, () => running.stop());
  const relay = declaration.publishes
    ? await startRelay({
        service: declaration.name,
        db,
        broker,
        backgroundWork,
        telemetry,
        restoredAt: config.RESTORED_AT,
      })
    : undefined;
  if (relay) stopLater('relay', relay);
  const { encrypted } = declaration;
  if (encrypted && encrypted.keys.length > 1)
    stopLater('renewal of encrypted texts', startEncryptionRenewal(db, encrypted, telemetry));
  const { connect } = openPeers(runtime, config);
  const channels = Object.entries<string>(declaration.peers).map(([peer, address]) => [peer, connect(address)]);
  return {
    ...runtime,
    runtime,
    db,
    broker,
    relay: relay as StatefulService<Peer, Publishes>['relay'],
    peers: Object.fromEntries(channels) as Record<Peer, Channel>,
    stopLater,
    async follow(options) {
      const follower = await startFollower({ ...options, broker, db, backgroundWork, telemetry });
      stopLater(`follower ${options.name}`, follower);
      runtime.followers.push(follower);
    },
    serve: (add) => serveGrpc(runtime, config, add),
  };
}
