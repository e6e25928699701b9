import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { type Event, connectBroker, startFollower } from '@parley/events';
import { trackBackgroundWork } from '@parley/clock';
import { newId } from '@parley/ids';
import { type Principal, type Channel, connectRpc, createProver } from '@parley/rpc';
import { startService } from '@parley/service';
import { startTelemetry } from '@parley/telemetry';
import { scratchDir, testMongo, testNats, uniqueName } from '@parley/testkit';
import type { Db } from 'mongodb';
import { service } from '../src/index.ts';
import { startTestDirectory, type TestDirectory } from './test-directory.ts';
import { startTestSpeech, type TestSpeech } from './test-speech.ts';

/** numbers-routing as it runs, with real MongoDB and NATS; directory and speech are played by the test. */
export interface TestNumbersRouting {
  readonly directory: TestDirectory;
  readonly speech: TestSpeech;
  readonly db: Db;
  /** To the service, as the gateway, directory or call-control. */
  as(peer: 'gateway' | 'directory' | 'call-control'): Channel;
  /** Starts another replica of the service; the channel is the gateway's. */
  replica(): Promise<Channel>;
  /** Everything the service has published so far, oldest first. */
  readonly events: readonly Event[];
  stop(): Promise<void>;
}

export const operator: { as: Principal } = { as: { kind: 'operator' } };

/** An employee's credentials, as the gateway has proven them. */
export function employee(companyId: string, employeeId = newId('emp')): { as: Principal } {
  return { as: { kind: 'employee', companyId, employeeId, credentialId: newId('key') } };
}

const EVENT_TYPES = ['number.created', 'number.updated', 'registration.approved', 'registration.rejected'];

export async function startNumbersRouting(): Promise<TestNumbersRouting> {
  await using started = new AsyncDisposableStack();
  const scratch = await scratchDir();
  started.defer(() => scratch.remove());
  const names = ['gateway', 'directory', 'call-control', 'numbers-routing', 'speech'];
  const keys = Object.fromEntries(names.map((name) => [name, keyPair()]));
  const trusted = Object.fromEntries(Object.entries(keys).map(([name, { publicKey }]) => [name, publicKey]));
  const telemetry = startTelemetry({ service: 'test', version: '0', logLevel: 'silent' });
  const mongo = testMongo();
  started.defer(() => mongo.close());
  const db = mongo.database('numbers_routing');
  const nats = testNats();
  const prefix = uniqueName('t').replace('_', '-');
  const address = (name: string) => `unix:${scratch.path}/${name}.sock`;
  const directory = await startTestDirectory(address('directory'), trusted, telemetry);
  started.defer(() => directory.stop());
  const speech = await startTestSpeech(address('speech'), trusted, telemetry);
  started.defer(() => speech.stop());
  const env = (name: string) => ({
    LOG_LEVEL: 'silent',
    SIGNING_KEY: keys['numbers-routing']?.privateKey,
    TRUSTED_KEYS: JSON.stringify(trusted),
    ENCRYPTION_KEY: encryptionKey,
    PUBLIC_URL: 'https://parley.example/',
    GRPC_LISTEN: address(name),
    DIRECTORY_ADDRESS: address('directory'),
    SPEECH_ADDRESS: address('speech'),
    MONGODB_URL: mongo.url,
    MONGODB_DATABASE: db.databaseName,
    NATS_URL: nats.url,
    NATS_USER: nats.user,
    NATS_PASSWORD: nats.password,
    NATS_PREFIX: prefix,
  });
  const encryptionKey = randomBytes(32).toString('base64');
  const connect = (peer: string, name: string) => {
    const prover = createProver(peer, keys[peer]?.privateKey ?? '');
    const channel = connectRpc({ address: address(name), telemetry, prover });
    started.defer(() => channel.close());
    return channel;
  };
  const running = await startService(service, env('first'));
  started.defer(() => running.stop());

  const { url, user, password } = nats;
  const broker = await connectBroker({ url, user, password, prefix, name: 'test', log: telemetry.log });
  started.defer(() => broker.close());
  const events: Event[] = [];
  const handlers = Object.fromEntries(
    EVENT_TYPES.map((type) => [
      `numbers-routing.${type}`,
      async (_message: unknown, event: Event) => void events.push(event),
    ]),
  );
  const backgroundWork = trackBackgroundWork();
  const follower = await startFollower({ name: 'test-events', broker, db, handlers, backgroundWork, telemetry });
  started.defer(() => follower.stop());

  const channels = new Map(['gateway', 'directory', 'call-control'].map((peer) => [peer, connect(peer, 'first')]));
  const owned = started.move();
  let replicas = 0;
  return {
    directory,
    speech,
    db,
    events,
    as: (peer) => channels.get(peer) as Channel,
    async replica() {
      const name = `replica-${(replicas += 1)}`;
      const replica = await startService(service, env(name));
      owned.defer(() => replica.stop());
      const prover = createProver('gateway', keys['gateway']?.privateKey ?? '');
      const channel = connectRpc({ address: address(name), telemetry, prover });
      owned.defer(() => channel.close());
      return channel;
    },
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
