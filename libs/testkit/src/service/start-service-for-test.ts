import { randomBytes } from 'node:crypto';
import { testClockSubjects } from '@parley/clock';
import { type Broker, connectBroker, type Event } from '@parley/events';
import { type Channel, connectRpc, createProver, newKeyPair, type RpcOptions } from '@parley/rpc';
import { addressSetting, type Running, type Service, serviceNames, startService } from '@parley/service';
import { type FakeContract, startFakePeer } from '@parley/stubs';
import { startTelemetry } from '@parley/telemetry';
import type { Db } from 'mongodb';
import { scratchDir } from '../utilities/scratch-dir.ts';
import { testMongo, type TestMongo } from '../servers/test-mongo.ts';
import { testNats, type TestNats } from '../servers/test-nats.ts';
import { uniqueName } from '../utilities/unique-name.ts';
import { waitUntil } from '../utilities/wait-until.ts';
import { eventPublisher, type PublishEvent, recordEvents } from './event-publisher.ts';

type Settings = Readonly<Record<string, string | undefined>>;

export interface ServiceForTestOptions {
  /** Contracts of other services that the test answers, by the name of the service that serves them. */
  readonly peers?: Readonly<Record<string, readonly FakeContract[]>>;
  /** Services whose events this one follows: their streams exist before it starts. */
  readonly follows?: readonly string[];
  /** Settings that only this service has, or that differ from those every test gives. */
  readonly settings?: Settings;
  /** Servers that the test breaks or loads; otherwise those of the test run. */
  readonly mongo?: TestMongo;
  readonly nats?: TestNats;
  /** Runs the service somewhere else than in this process. */
  readonly start?: (env: Record<string, string>) => Promise<Running>;
}

/** One replica of the service. */
export interface Replica {
  /** The connection to it of another service; tests share it. */
  as(service: string): Channel;
}

/** A service as it runs, on real MongoDB, NATS and gRPC, with fake peers. */
export interface ServiceForTest extends Replica {
  readonly db: Db;
  readonly broker: Broker;
  /** The settings of the first replica. */
  readonly env: Readonly<Record<string, string>>;
  /** Publishes an event of another service. */
  readonly publish: PublishEvent;
  /** Records the events that the service publishes from now on, in order: `service.noun.fact` or `service.noun.*`. */
  record<Recorded = Event>(type: string, map?: (event: Event) => Recorded): Promise<readonly Recorded[]>;
  /** Moves the service's clock to this far ahead of the machine's; needs TEST_CLOCK. */
  moveClock(aheadSecs: number): Promise<void>;
  /** Waits until the service has done everything that is due. */
  idle(withinMs?: number): Promise<void>;
  /** Starts another replica; it ends with this one, if not before. */
  replica(): Promise<Replica & Running>;
  restart(change?: Settings): Promise<void>;
  stopService(): Promise<void>;
  stop(): Promise<void>;
}

/** The limit of an RPC and of a move of the clock: many at once take a busy machine longer than services wait for each other. */
const ANSWER_MS = 30_000;

/** Starts a service with its own database, subjects, keys and sockets; `stop` removes all of them. */
export async function startServiceForTest(
  service: Service<any>,
  options: ServiceForTestOptions = {},
): Promise<ServiceForTest> {
  const { peers = {}, follows = [], settings = {} } = options;
  const start = options.start ?? ((env) => startService(service, env));
  await using started = new AsyncDisposableStack();
  const scratch = await scratchDir();
  started.defer(() => scratch.remove());
  const socket = (name: string) => `unix:${scratch.path}/${name}.sock`;
  const keys = new Map(serviceNames.map((name) => [name, newKeyPair()]));
  const trustedKeys = Object.fromEntries([...keys].map(([name, { publicKey }]) => [name, publicKey]));
  const telemetry = startTelemetry({ service: 'test', version: '0', logLevel: 'silent' });
  started.defer(() => telemetry.stop());
  const mongo = options.mongo ?? testMongo();
  started.defer(() => mongo.close());
  const db = mongo.database(service.name);
  const nats = options.nats ?? testNats();
  const { url, user, password } = nats;
  const prefix = uniqueName('t').replace('_', '-');

  const env = definedSettings({
    LOG_LEVEL: 'silent',
    SIGNING_KEY: keys.get(service.name)?.privateKey,
    TRUSTED_KEYS: JSON.stringify(trustedKeys),
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    PUBLIC_URL: 'https://parley.example/',
    GRPC_LISTEN: socket(service.name),
    MONGODB_URL: mongo.url,
    MONGODB_DATABASE: db.databaseName,
    NATS_URL: url,
    NATS_USER: user,
    NATS_PASSWORD: password,
    NATS_PREFIX: prefix,
    ...Object.fromEntries(serviceNames.map((name) => [addressSetting(name), socket(name)])),
    ...settings,
  });
  for (const [name, contracts] of Object.entries(peers)) {
    const peer = await startFakePeer(contracts, { address: socket(name), trustedKeys, telemetry });
    started.defer(() => peer.stop());
  }
  const broker = await connectBroker({ url, user, password, prefix, name: 'test', log: telemetry.log });
  started.defer(() => closeBroker(broker, prefix));
  for (const name of follows) await broker.ensureStream(name);
  const clock = testClockSubjects(broker);
  const ask = <Answer>(subject: string, request: object) =>
    broker.connection
      .request(subject, JSON.stringify(request), { timeout: ANSWER_MS })
      .then((answer) => answer.json<Answer>());

  let running: Running | undefined = await start(env);
  const stopService = async () => {
    await running?.stop();
    running = undefined;
  };
  started.defer(stopService);
  const owned = started.move();
  const replicaAt = (address: string): Replica => {
    const channels = new Map<string, Channel>();
    const connect = (name: string) => {
      const prover = createProver(name, keys.get(name)?.privateKey ?? '');
      const channel = connectRpc({ address, telemetry, prover });
      owned.defer(() => channel.close());
      return withTestTimeout(channel);
    };
    return { as: (name) => channels.get(name) ?? channels.set(name, connect(name)).get(name)! };
  };
  let replicas = 1;
  return {
    ...replicaAt(socket(service.name)),
    db,
    broker,
    env,
    publish: eventPublisher(broker),
    record: <Recorded = Event>(type: string, map = (event: Event) => event as Recorded) =>
      recordEvents(broker, type, map),
    moveClock: (aheadSecs) => ask<void>(clock.set, { offsetMs: aheadSecs * 1000 }),
    async idle(withinMs = 30_000) {
      const isIdle = async () => (await ask<{ busy: number }>(clock.report, {})).busy === 0;
      await waitUntil(isIdle, { what: 'everything due to be done', timeoutMs: withinMs });
    },
    async replica() {
      const address = socket(`${service.name}-${(replicas += 1)}`);
      const replica = await start({ ...env, GRPC_LISTEN: address });
      owned.defer(() => replica.stop());
      return { ...replicaAt(address), stop: () => replica.stop() };
    },
    async restart(change = {}) {
      await stopService();
      running = await start(definedSettings({ ...env, ...change }));
    },
    stopService,
    stop: () => owned.disposeAsync(),
  };
}

/** The same channel; calls without a timeout of their own have that of tests. */
function withTestTimeout(channel: Channel): Channel {
  return {
    ...channel,
    client(service) {
      const methods = Object.entries<(request: any, options?: RpcOptions) => any>(channel.client(service));
      const call = methods.map(([name, method]) => [
        name,
        (request: unknown, options?: RpcOptions) => method(request, { timeoutMs: ANSWER_MS, ...options }),
      ]);
      return Object.fromEntries(call);
    },
  };
}

function definedSettings(settings: Settings): Record<string, string> {
  return Object.fromEntries(
    Object.entries(settings).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/** A stream reserves disk space at the broker, which other tests share. */
async function closeBroker(broker: Broker, prefix: string): Promise<void> {
  const names = await Array.fromAsync(broker.manager.streams.names(`${prefix}.>`)).catch(() => []);
  for (const name of names) await broker.manager.streams.delete(name).catch(() => undefined);
  await broker.close();
}
