import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { create, toBinary } from '@bufbuild/protobuf';
import { type Broker, connectBroker } from '@parley/events';
import { notFound, Refused } from '@parley/errors';
import { testClockSubjects } from '@parley/clock';
import { newId } from '@parley/ids';
import { CompanyUpdatedSchema } from '@parley/proto/directory/v1/company_events_pb';
import {
  EmployeeCreatedSchema,
  EmployeeDeletedSchema,
  EmployeeUpdatedSchema,
} from '@parley/proto/directory/v1/employee_events_pb';
import { EmployeeLookupService } from '@parley/proto/directory/v1/employees_pb';
import {
  type Principal,
  type Channel,
  connectRpc,
  createProver,
  createRpcServer,
  createVerifier,
  operatorsOr,
} from '@parley/rpc';
import { type Running, startService } from '@parley/service';
import { startTelemetry, type Telemetry } from '@parley/telemetry';
import { type OwnNats, scratchDir, testMongo, testNats, uniqueName, waitUntil } from '@parley/testkit';
import type { Db } from 'mongodb';
import { service } from '../src/index.ts';

/** An employee of the directory that stands in for the real one. */
export interface TestEmployee {
  id: string;
  companyId: string;
  name: string;
  email: string;
  invitationPending: boolean;
}

/** Identity as it runs, with real MongoDB and NATS; directory is played by the test. */
export interface TestIdentity {
  readonly channel: Channel;
  readonly db: Db;
  readonly broker: Broker;
  readonly operator: { as: Principal };
  hire(employee?: Partial<TestEmployee>): Promise<TestEmployee>;
  dismiss(employee: TestEmployee): Promise<void>;
  /** Whether the company's employees must have a second factor. */
  requireTwoFactor(companyId: string, requiresTwoFactor: boolean): Promise<void>;
  /** Moves the clock of all replicas; needs a NATS of the test's own, for the clock is everybody's. */
  moveClock(secsAhead: number): Promise<void>;
  restart(): Promise<void>;
  /** A second process's way in. */
  secondReplica(): Promise<Channel>;
  stop(): Promise<void>;
}

export async function startIdentity(
  settings: Record<string, string> = {},
  own: { nats?: OwnNats } = {},
): Promise<TestIdentity> {
  const scratch = await scratchDir();
  const keys = { gateway: keyPair(), directory: keyPair(), identity: keyPair() };
  const trusted = Object.fromEntries(Object.entries(keys).map(([name, { publicKey }]) => [name, publicKey]));
  const telemetry = startTelemetry({ service: 'test', version: '0', logLevel: 'silent' });
  const mongo = testMongo();
  const db = mongo.database('identity');
  const nats = own.nats ?? testNats();
  const prefix = uniqueName('t').replace('_', '-');
  const employees = new Map<string, TestEmployee>();
  const directory = await startDirectory(`unix:${scratch.path}/directory.sock`, trusted, employees, telemetry);
  const address = `unix:${scratch.path}/identity.sock`;
  const env = {
    LOG_LEVEL: 'silent',
    SIGNING_KEY: keys.identity.privateKey,
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    PUBLIC_URL: 'http://127.0.0.1:8080',
    TEST_CLOCK: own.nats ? 'on' : 'off',
    TRUSTED_KEYS: JSON.stringify(trusted),
    GRPC_LISTEN: address,
    DIRECTORY_ADDRESS: `unix:${scratch.path}/directory.sock`,
    MONGODB_URL: mongo.url,
    MONGODB_DATABASE: db.databaseName,
    NATS_URL: nats.url,
    NATS_USER: nats.user,
    NATS_PASSWORD: nats.password,
    NATS_PREFIX: prefix,
    ...settings,
  };
  let running = await startService(service, env);
  const broker = await connectBroker({
    url: nats.url,
    user: nats.user,
    password: nats.password,
    prefix,
    name: 'test',
    log: telemetry.log,
  });
  await broker.ensureStream('directory');
  const channel = connectRpc({ address, telemetry, prover: createProver('gateway', keys.gateway.privateKey) });
  const sequences = new Map<string, number>();
  const publishAs = (type: string, companyId: string, aggregateId: string, data: Uint8Array) => {
    const aggregateSequence = (sequences.get(aggregateId) ?? 0) + 1;
    sequences.set(aggregateId, aggregateSequence);
    const occurredAt = new Date();
    const id = newId('evt');
    return broker.publish({
      id,
      type,
      companyId,
      aggregateId,
      aggregateSequence,
      occurredAt,
      traceparent: undefined,
      data,
    });
  };
  const publish = (type: string, schema: typeof EmployeeCreatedSchema, employee: TestEmployee) =>
    publishAs(type, employee.companyId, employee.id, toBinary(schema, create(schema, { employee })));
  const replicas: Running[] = [];
  const channels: Channel[] = [];
  return {
    channel,
    db,
    broker,
    operator: { as: { kind: 'operator' } },
    async hire(details = {}) {
      const employee = {
        id: newId('emp'),
        companyId: newId('com'),
        name: 'Ada',
        email: `${newId('ada')}@example.com`,
        invitationPending: false,
        ...details,
      };
      const known = employees.has(employee.id);
      employees.set(employee.id, employee);
      if (known) await publish('directory.employee.updated', EmployeeUpdatedSchema as never, employee);
      else await publish('directory.employee.created', EmployeeCreatedSchema, employee);
      return employee;
    },
    async dismiss(employee) {
      employees.delete(employee.id);
      await publish('directory.employee.deleted', EmployeeDeletedSchema as never, employee);
    },
    async requireTwoFactor(companyId, requiresTwoFactor) {
      const company = { id: companyId, name: 'Acme', country: 'DK', requiresTwoFactor };
      const data = toBinary(CompanyUpdatedSchema, create(CompanyUpdatedSchema, { company }));
      await publishAs('directory.company.updated', companyId, companyId, data);
      await waitUntil(
        async () => {
          const rules = await db.collection<{ _id: string }>('company_rules').findOne({ _id: companyId });
          return (rules as { requiresTwoFactor?: boolean } | null)?.requiresTwoFactor === requiresTwoFactor;
        },
        { what: "the company's rule" },
      );
    },
    async moveClock(secsAhead) {
      const offset = JSON.stringify({ offsetMs: secsAhead * 1000 });
      await broker.connection.request(testClockSubjects(broker).set, offset, { timeout: 5000 });
    },
    async secondReplica() {
      const second = `unix:${scratch.path}/identity-${replicas.length + 2}.sock`;
      replicas.push(await startService(service, { ...env, GRPC_LISTEN: second }));
      const to = connectRpc({ address: second, telemetry, prover: createProver('gateway', keys.gateway.privateKey) });
      channels.push(to);
      return to;
    },
    async restart() {
      await running.stop();
      running = await startService(service, env);
    },
    async stop() {
      for (const open of [channel, ...channels]) open.close();
      await Promise.all([running, ...replicas].map((one) => one.stop()));
      await directory.close(100);
      for (const stream of ['directory', 'identity'])
        await broker.manager.streams.delete(broker.stream(stream)).catch(() => undefined);
      await broker.close();
      await mongo.close();
      await scratch.remove();
    },
  };
}

async function startDirectory(
  address: string,
  trusted: Record<string, string>,
  employees: Map<string, TestEmployee>,
  telemetry: Telemetry,
) {
  const server = createRpcServer({ telemetry, verify: createVerifier(trusted), ready: async () => true });
  server.add(EmployeeLookupService, operatorsOr('identity'), {
    async getEmployee({ id }) {
      const employee = employees.get(id);
      if (!employee) throw new Refused(notFound);
      return { employee };
    },
  });
  await server.listen(address);
  return server;
}

function keyPair(): { privateKey: string; publicKey: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64'),
    publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
  };
}
