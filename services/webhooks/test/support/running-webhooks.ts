import { generateKeyPairSync, randomBytes } from 'node:crypto';
import path from 'node:path';
import { create, toBinary } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { testClockSubjects } from '@parley/clock';
import { type Broker, connectBroker, type Event } from '@parley/events';
import { newId } from '@parley/ids';
import {
  ContactCreatedSchema,
  ContactDeletedSchema,
  ContactUpdatedSchema,
} from '@parley/proto/directory/v1/contact_events_pb';
import { DeliveryService } from '@parley/proto/webhooks/v1/deliveries_pb';
import { SubscriptionService } from '@parley/proto/webhooks/v1/subscriptions_pb';
import { type Channel, connectRpc, createProver, type EmployeePrincipal, type RpcClient } from '@parley/rpc';
import { type Running, startService } from '@parley/service';
import { startTelemetry } from '@parley/telemetry';
import { ownNats, type OwnNats, scratchDir, testMongo, type TestMongo, waitUntil } from '@parley/testkit';
import type { Db } from 'mongodb';
import { service } from '../../src/index.ts';

const contactSchemas = {
  created: ContactCreatedSchema,
  updated: ContactUpdatedSchema,
  deleted: ContactDeletedSchema,
};

/** The webhooks service with a database, a broker and a caller of its own, and a stand-in for the directory. */
export interface RunningWebhooks {
  readonly subscriptions: RpcClient<typeof SubscriptionService>;
  readonly deliveries: RpcClient<typeof DeliveryService>;
  readonly db: Db;
  readonly broker: Broker;
  readonly companyId: string;
  /** An employee of the company, or of another one. */
  as(companyId?: string): { as: EmployeePrincipal };
  /** The directory says that a contact was created, updated or deleted. */
  contact(fact: keyof typeof contactSchemas, contact?: Partial<ContactFact>): Promise<ContactFact>;
  /** Moves the service's clock to this far ahead of the machine's, and waits until everything due then is done. */
  moveClock(aheadSecs: number, withinMs?: number): Promise<void>;
  /** What the process needs to know, for running it elsewhere. */
  readonly env: Record<string, string>;
  restart(env?: Record<string, string>): Promise<void>;
  stopService(): Promise<void>;
  close(): Promise<void>;
}

export interface ContactFact {
  readonly id: string;
  readonly companyId: string;
  readonly sequence: number;
  readonly name: string;
  readonly eventId: string;
  readonly occurredAt: Date;
}

/** Runs the service somewhere with the given settings. */
export type StartWebhooks = (env: Record<string, string>) => Promise<Running>;

const inThisProcess: StartWebhooks = (env) => startService(service, env);

export async function runWebhooks(
  origins: readonly string[],
  env: Record<string, string> = {},
  { start = inThisProcess, mongo = testMongo() }: { start?: StartWebhooks; mongo?: TestMongo } = {},
): Promise<RunningWebhooks> {
  const nats: OwnNats = await ownNats();
  const scratch = await scratchDir();
  const db = mongo.database('webhooks');
  const address = `unix:${path.join(scratch.path, 'webhooks.sock')}`;
  const gateway = generateKeyPairSync('ed25519');
  const der = (key: { export(options: { type: any; format: 'der' }): Buffer }, type: string) =>
    key.export({ type, format: 'der' }).toString('base64');
  const settings = {
    LOG_LEVEL: 'error',
    TEST_CLOCK: 'on',
    SIGNING_KEY: der(generateKeyPairSync('ed25519').privateKey, 'pkcs8'),
    TRUSTED_KEYS: JSON.stringify({ gateway: der(gateway.publicKey, 'spki') }),
    GRPC_LISTEN: address,
    MONGODB_URL: mongo.url,
    MONGODB_DATABASE: db.databaseName,
    NATS_URL: nats.url,
    NATS_USER: nats.user ?? '',
    NATS_PASSWORD: nats.password ?? '',
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    ALLOWED_ORIGINS: origins.join(','),
    ...env,
  };
  const telemetry = startTelemetry({ service: 'test', version: '0', logLevel: 'silent' });
  const broker = await connectBroker({
    url: nats.url,
    user: nats.user,
    password: nats.password,
    name: 'test',
    log: telemetry.log,
  });
  await broker.ensureStream('directory');
  const sandbox = broker.connection;
  const clockSubjects = testClockSubjects(broker);
  let running: Running | undefined = await start(settings);
  const channel: Channel = connectRpc({
    address,
    telemetry,
    prover: createProver('gateway', der(gateway.privateKey, 'pkcs8')),
  });
  const companyId = newId('com');
  const sequences = new Map<string, number>();

  const stopService = async () => {
    await running?.stop();
    running = undefined;
  };

  return {
    subscriptions: channel.client(SubscriptionService),
    deliveries: channel.client(DeliveryService),
    db,
    broker,
    companyId,
    env: settings,
    as: (company = companyId) => ({
      as: { kind: 'employee', companyId: company, employeeId: `emp_${company}`, credentialId: `key_${company}` },
    }),
    async contact(fact, given = {}) {
      const id = given.id ?? newId('con');
      const sequence = given.sequence ?? (sequences.get(id) ?? 0) + 1;
      sequences.set(id, sequence);
      const contact = {
        id,
        companyId,
        sequence,
        name: 'Ida',
        eventId: newId('evt'),
        occurredAt: new Date(),
        ...given,
      };
      await broker.publish(contactEvent(fact, contact));
      return contact;
    },
    async moveClock(aheadSecs, withinMs = 30_000) {
      const payload = JSON.stringify({ offsetMs: aheadSecs * 1000 });
      await sandbox.request(clockSubjects.set, payload, { timeout: 5000 });
      await waitUntil(
        async () => {
          const answer = await sandbox.request(clockSubjects.report, '', { timeout: 5000 });
          return answer.json<{ busy: number }>().busy === 0;
        },
        { what: 'everything due to be done', timeoutMs: withinMs },
      );
    },
    stopService,
    async restart(change = {}) {
      await stopService();
      running = await start({ ...settings, ...change });
    },
    async close() {
      await stopService();
      channel.close();
      await broker.close();
      await telemetry.stop();
      await nats.close();
      await mongo.close();
      await scratch.remove();
    },
  };
}

function contactEvent(fact: keyof typeof contactSchemas, contact: ContactFact): Event {
  const schema = contactSchemas[fact];
  const at = timestampFromDate(contact.occurredAt);
  const message = create(schema, {
    contact: {
      id: contact.id,
      name: contact.name,
      phone: '+4512345678',
      phoneFormatted: '+45 12 34 56 78',
      createdAt: at,
      updatedAt: at,
    },
  } as never);
  return {
    id: contact.eventId,
    type: `directory.contact.${fact}`,
    companyId: contact.companyId,
    aggregateId: contact.id,
    aggregateSequence: contact.sequence,
    occurredAt: contact.occurredAt,
    traceparent: undefined,
    data: toBinary(schema, message as never),
  };
}
