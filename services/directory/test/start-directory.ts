import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { type Broker, connectBroker, decodeEvent, type Event } from '@parley/events';
import { newId } from '@parley/ids';
import { CompanyAdminService } from '@parley/proto/directory/v1/companies_pb';
import { EmployeeUpdatedSchema } from '@parley/proto/directory/v1/employee_events_pb';
import type { Employee } from '@parley/proto/directory/v1/employees_pb';
import { EmployeeSignedInSchema } from '@parley/proto/identity/v1/credential_events_pb';
import { RoutingService, type TargetingNumber } from '@parley/proto/numbers_routing/v1/routing_pb';
import {
  type Channel,
  connectRpc,
  createProver,
  createRpcServer,
  createVerifier,
  type EmployeePrincipal,
  type RpcServer,
  services,
} from '@parley/rpc';
import { startService } from '@parley/service';
import { startTelemetry, type Telemetry } from '@parley/telemetry';
import { scratchDir, testMongo, testNats, uniqueName } from '@parley/testkit';
import type { Db } from 'mongodb';
import { service } from '../src/index.ts';

export interface TestCompany {
  readonly id: string;
  readonly owner: { as: EmployeePrincipal };
}

/** Directory as it runs, with real MongoDB and NATS; the test plays numbers-routing and identity. */
export interface TestDirectory {
  /** As the gateway, and as a service. */
  readonly gateway: Channel;
  readonly numbersRouting: Channel;
  readonly callControl: Channel;
  readonly db: Db;
  /** What is published about employees, in order. */
  readonly published: { type: string; employee: Employee }[];
  createCompany(): Promise<TestCompany>;
  signIn(companyId: string, employeeId: string): Promise<void>;
  /** What numbers-routing answers; may throw. */
  targeting: (employeeId: string) => Promise<Partial<TargetingNumber>[]>;
  /** Another process of directory, as the gateway reaches it. */
  secondReplica(): Promise<Channel>;
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export async function startDirectory(settings: Record<string, string> = {}): Promise<TestDirectory> {
  const scratch = await scratchDir();
  const keys = { gateway: keyPair(), directory: keyPair(), 'numbers-routing': keyPair(), 'call-control': keyPair() };
  const trusted = Object.fromEntries(Object.entries(keys).map(([name, { publicKey }]) => [name, publicKey]));
  const telemetry = startTelemetry({ service: 'test', version: '0', logLevel: 'silent' });
  const mongo = testMongo();
  const db = mongo.database('directory');
  const nats = testNats();
  const prefix = uniqueName('t').replace('_', '-');
  const socket = (name: string) => `unix:${scratch.path}/${name}.sock`;

  const self = { targeting: async () => [] } as unknown as TestDirectory;
  const routing = await play(telemetry, trusted, socket('numbers-routing'), (server) =>
    server.add(RoutingService, services('directory'), {
      resolveRoute: async () => ({}),
      getNumber: async () => ({}),
      getNumberByE164: async () => ({}),
      listNumbersTargeting: async ({ employeeId }: { employeeId: string }) => ({
        numbers: await self.targeting(employeeId),
      }),
    } as never),
  );

  const env = {
    LOG_LEVEL: 'silent',
    SIGNING_KEY: keys.directory.privateKey,
    TRUSTED_KEYS: JSON.stringify(trusted),
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    GRPC_LISTEN: socket('directory'),
    NUMBERS_ROUTING_ADDRESS: socket('numbers-routing'),
    MONGODB_URL: mongo.url,
    MONGODB_DATABASE: db.databaseName,
    NATS_URL: nats.url,
    NATS_USER: nats.user,
    NATS_PASSWORD: nats.password,
    NATS_PREFIX: prefix,
    ...settings,
  };
  let running = await startService(service, env);
  const broker = await connectBroker({ ...nats, prefix, name: 'test', log: telemetry.log });
  await broker.ensureStream('identity');
  const published = listen(broker);
  const connect = (name: keyof typeof keys, address = env.GRPC_LISTEN) =>
    connectRpc({ address, telemetry, prover: createProver(name, keys[name].privateKey) });
  const [gateway, numbersRouting, callControl] = [
    connect('gateway'),
    connect('numbers-routing'),
    connect('call-control'),
  ];
  const publish = publisher(broker);
  const endings: (() => Promise<void>)[] = [];

  return Object.assign(self, {
    gateway,
    numbersRouting,
    callControl,
    db,
    published,
    async createCompany() {
      const request = { name: 'Acme', country: 'DK', ownerName: 'Olivia', ownerEmail: `${newId('o')}@example.com` };
      const admin = gateway.client(CompanyAdminService);
      const { company, owner } = await admin.createCompany(request, { as: { kind: 'operator' } });
      const [id, employeeId] = [company?.id ?? '', owner?.id ?? ''];
      return { id, owner: { as: { kind: 'employee' as const, companyId: id, employeeId, credentialId: 'key_1' } } };
    },
    async signIn(companyId: string, employeeId: string) {
      const data = toBinary(EmployeeSignedInSchema, create(EmployeeSignedInSchema, { employeeId, sessionId: 's' }));
      await publish('identity.employee.signed_in', companyId, newId('ses'), data);
    },
    async secondReplica() {
      const address = socket('directory-2');
      const replica = await startService(service, { ...env, GRPC_LISTEN: address });
      const channel = connect('gateway', address);
      endings.push(async () => {
        channel.close();
        await replica.stop();
      });
      return channel;
    },
    async restart() {
      await running.stop();
      running = await startService(service, env);
    },
    async stop() {
      for (const end of endings) await end();
      for (const channel of [gateway, numbersRouting, callControl]) channel.close();
      await running.stop();
      await routing.close(100);
      for (const stream of ['directory', 'identity'])
        await broker.manager.streams.delete(broker.stream(stream)).catch(() => undefined);
      await broker.close();
      await mongo.close();
      await scratch.remove();
    },
  });
}

async function play(
  telemetry: Telemetry,
  trusted: Record<string, string>,
  address: string,
  add: (server: RpcServer) => void,
): Promise<RpcServer> {
  const server = createRpcServer({ telemetry, verify: createVerifier(trusted), ready: async () => true });
  add(server);
  await server.listen(address);
  return server;
}

function listen(broker: Broker): TestDirectory['published'] {
  const published: TestDirectory['published'] = [];
  const seen = new Set<string>();
  broker.connection.subscribe(broker.eventPattern('directory.employee.*'), {
    callback: (_error, message) => {
      const event: Event = decodeEvent(message.data);
      const { employee } = fromBinary(EmployeeUpdatedSchema, event.data);
      if (employee && !seen.has(event.id)) published.push({ type: event.type, employee });
      seen.add(event.id);
    },
  });
  return published;
}

function publisher(broker: Broker) {
  const sequences = new Map<string, number>();
  return async (type: string, companyId: string, aggregateId: string, data: Uint8Array) => {
    const aggregateSequence = (sequences.get(aggregateId) ?? 0) + 1;
    sequences.set(aggregateId, aggregateSequence);
    const about = { id: newId('evt'), type, companyId, aggregateId, aggregateSequence, occurredAt: new Date() };
    await broker.publish({ ...about, traceparent: undefined, data });
  };
}

function keyPair(): { privateKey: string; publicKey: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64'),
    publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
  };
}
