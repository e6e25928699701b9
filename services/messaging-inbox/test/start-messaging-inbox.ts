import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { type Event, connectBroker, startFollower } from '@parley/events';
import { trackBackgroundWork } from '@parley/clock';
import { newId } from '@parley/ids';
import { type Channel, connectRpc, createProver, type Principal } from '@parley/rpc';
import { startService } from '@parley/service';
import { startTelemetry } from '@parley/telemetry';
import { scratchDir, testMongo, testNats, uniqueName } from '@parley/testkit';
import type { Db } from 'mongodb';
import { service } from '../src/index.ts';
import { startTestDirectory, type TestDirectory } from './test-directory.ts';
import { startTestNumbers, type TestNumbers } from './test-numbers.ts';
import { startTestProvider, type TestProvider } from './test-provider.ts';

/** Two replicas of messaging-inbox as they run, on real MongoDB and NATS; the test plays their peers and the provider. */
export interface TestMessagingInbox {
  readonly directory: TestDirectory;
  readonly numbers: TestNumbers;
  readonly provider: TestProvider;
  readonly db: Db;
  /** To each replica, as the gateway. */
  readonly replicas: readonly [Channel, Channel];
  /** To the first replica, as another service. */
  as(peer: string): Channel;
  /** Every message event the service has published so far, oldest first. */
  readonly events: readonly Event[];
  stop(): Promise<void>;
}

/** An employee's credentials, as the gateway has proven them. */
export function employee(companyId: string, employeeId: string): { as: Principal } {
  return { as: { kind: 'employee', companyId, employeeId, credentialId: newId('key') } };
}

const EVENT_TYPES = ['message.created', 'message.received', 'message.status_changed', 'message.updated'];
const PEERS = ['gateway', 'directory', 'numbers-routing', 'call-control', 'messaging-inbox'];

export async function startMessagingInbox(settings: Record<string, string> = {}): Promise<TestMessagingInbox> {
  await using started = new AsyncDisposableStack();
  const scratch = await scratchDir();
  started.defer(() => scratch.remove());
  const keys = Object.fromEntries(PEERS.map((name) => [name, keyPair()]));
  const trusted = Object.fromEntries(Object.entries(keys).map(([name, { publicKey }]) => [name, publicKey]));
  const telemetry = startTelemetry({ service: 'test', version: '0', logLevel: 'silent' });
  const mongo = testMongo();
  started.defer(() => mongo.close());
  const db = mongo.database('messaging_inbox');
  const nats = testNats();
  const prefix = uniqueName('t').replace('_', '-');
  const address = (name: string) => `unix:${scratch.path}/${name}.sock`;
  const directory = await startTestDirectory(address('directory'), trusted, telemetry);
  started.defer(() => directory.stop());
  const numbers = await startTestNumbers(address('numbers-routing'), trusted, telemetry);
  started.defer(() => numbers.stop());
  const provider = await startTestProvider();
  started.defer(() => provider.stop());
  const env = (name: string) => ({
    LOG_LEVEL: 'silent',
    SIGNING_KEY: keys['messaging-inbox']?.privateKey,
    TRUSTED_KEYS: JSON.stringify(trusted),
    ENCRYPTION_KEY: encryptionKey,
    PUBLIC_URL: 'https://parley.example/',
    TELNYX_API_URL: provider.url,
    TELNYX_API_KEY: 'KEY_test',
    TELNYX_PUBLIC_KEY: provider.publicKey,
    TELNYX_TIMEOUT_MS: '4000',
    SANDBOX_URL: provider.url,
    GRPC_LISTEN: address(name),
    DIRECTORY_ADDRESS: address('directory'),
    NUMBERS_ROUTING_ADDRESS: address('numbers-routing'),
    CALL_CONTROL_ADDRESS: address('call-control'),
    MONGODB_URL: mongo.url,
    MONGODB_DATABASE: db.databaseName,
    NATS_URL: nats.url,
    NATS_USER: nats.user,
    NATS_PASSWORD: nats.password,
    NATS_PREFIX: prefix,
    ...settings,
  });
  const encryptionKey = randomBytes(32).toString('base64');
  const connect = (peer: string, name: string) => {
    const prover = createProver(peer, keys[peer]?.privateKey ?? '');
    const channel = connectRpc({ address: address(name), telemetry, prover });
    started.defer(() => channel.close());
    return channel;
  };
  for (const name of ['first', 'second']) {
    const running = await startService(service, env(name));
    started.defer(() => running.stop());
  }

  const { url, user, password } = nats;
  const broker = await connectBroker({ url, user, password, prefix, name: 'test', log: telemetry.log });
  started.defer(() => broker.close());
  const events: Event[] = [];
  const handlers = Object.fromEntries(
    EVENT_TYPES.map((type) => [
      `messaging-inbox.${type}`,
      async (_message: unknown, event: Event) => void events.push(event),
    ]),
  );
  const backgroundWork = trackBackgroundWork();
  const follower = await startFollower({ name: 'test-events', broker, db, handlers, backgroundWork, telemetry });
  started.defer(() => follower.stop());

  const others = new Map(PEERS.map((peer) => [peer, connect(peer, 'first')]));
  const replicas = [connect('gateway', 'first'), connect('gateway', 'second')] as const;
  const owned = started.move();
  return {
    directory,
    numbers,
    provider,
    db,
    replicas,
    events,
    as: (peer) => others.get(peer) as Channel,
    stop: () => owned.disposeAsync(),
  };
}

function keyPair() {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64'),
    publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
  };
}
