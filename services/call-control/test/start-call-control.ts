import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { timestampNow } from '@bufbuild/protobuf/wkt';
import { notFound, Refused } from '@parley/errors';
import { type Broker, connectBroker, decodeEvent, encodeMessage } from '@parley/events';
import { newId } from '@parley/ids';
import { fromBinary } from '@bufbuild/protobuf';
import {
  type EmployeeStatusChanged,
  EmployeeStatusChangedSchema,
} from '@parley/proto/call_control/v1/presence_events_pb';
import { EmployeePresenceService } from '@parley/proto/call_control/v1/presence_pb';
import { SoftphoneSessionService } from '@parley/proto/call_control/v1/softphone_sessions_pb';
import { EmployeeDirectoryService, EmployeeLookupService } from '@parley/proto/directory/v1/employees_pb';
import { RoutingService, type TargetingNumber } from '@parley/proto/numbers_routing/v1/routing_pb';
import {
  type CallOptions,
  connectRpc,
  createProver,
  createRpcServer,
  createVerifier,
  type RpcClient,
  services,
} from '@parley/rpc';
import { startService } from '@parley/service';
import { startTelemetry } from '@parley/telemetry';
import { scratchDir, testMongo, testNats, uniqueName } from '@parley/testkit';
import type { Db } from 'mongodb';
import { service } from '../src/index.ts';

export interface TestEmployee {
  id: string;
  companyId: string;
  name: string;
  invitationPending: boolean;
  revision: bigint;
}

/** The clients of one replica. */
export interface Replica {
  /** As the gateway. */
  readonly presence: RpcClient<typeof EmployeePresenceService>;
  readonly softphoneSessions: RpcClient<typeof SoftphoneSessionService>;
}

/** Call-control as it runs, with real MongoDB and NATS; the test plays directory, numbers-routing and the switch. */
export interface TestCallControl extends Replica {
  readonly db: Db;
  /** What was published about employees' status so far, in order; a repeated event counts once. */
  readonly published: EmployeeStatusChanged[];
  /** Directory knows the employee; no event is published. */
  hire(details?: Partial<TestEmployee>): TestEmployee;
  as(employee: Pick<TestEmployee, 'id' | 'companyId'>): CallOptions;
  /** Publishes an event of directory's about an employee. */
  publish(fact: 'created' | 'updated' | 'deleted', employee: TestEmployee): Promise<void>;
  /** What numbers-routing answers. */
  targeting: (employeeId: string) => Partial<TargetingNumber>[];
  secondReplica(): Promise<Replica>;
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export async function startCallControl(settings: Record<string, string> = {}): Promise<TestCallControl> {
  const scratch = await scratchDir();
  const keys = Object.fromEntries(
    ['gateway', 'directory', 'numbers-routing', 'call-control'].map((name) => [name, keyPair()]),
  );
  const trusted = Object.fromEntries(Object.entries(keys).map(([name, { publicKey }]) => [name, publicKey]));
  const telemetry = startTelemetry({ service: 'test', version: '0', logLevel: 'silent' });
  const mongo = testMongo();
  const db = mongo.database('call_control');
  const nats = testNats();
  const prefix = uniqueName('t').replace('_', '-');
  const socket = (name: string) => `unix:${scratch.path}/${name}.sock`;
  const employees = new Map<string, TestEmployee>();
  const self = { targeting: () => [] } as unknown as TestCallControl;

  const known = (employeeId: string) => {
    const employee = employees.get(employeeId);
    if (!employee) throw new Refused(notFound);
    return { employee: { ...employee, email: 'e@example.com', createdAt: timestampNow(), updatedAt: timestampNow() } };
  };
  const peers = createRpcServer({ telemetry, verify: createVerifier(trusted), ready: async () => true });
  peers.add(EmployeeLookupService, services('call-control'), { getEmployee: async ({ id }) => known(id) });
  peers.add(EmployeeDirectoryService, services('call-control'), {
    async recordSignIn({ employeeId }) {
      known(employeeId);
      employees.get(employeeId)!.invitationPending = false;
      return known(employeeId);
    },
    checkEmployees: async () => ({}),
    async *listCompanyEmployees() {},
  });
  peers.add(RoutingService, services('call-control'), {
    listNumbersTargeting: async ({ employeeId }: { employeeId: string }) => ({ numbers: self.targeting(employeeId) }),
  } as never);
  await peers.listen(socket('peers'));

  const env = {
    LOG_LEVEL: 'silent',
    SIGNING_KEY: keys['call-control']!.privateKey,
    TRUSTED_KEYS: JSON.stringify(trusted),
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    GRPC_LISTEN: socket('call-control'),
    DIRECTORY_ADDRESS: socket('peers'),
    NUMBERS_ROUTING_ADDRESS: socket('peers'),
    SPEECH_ADDRESS: socket('peers'),
    PUBLIC_URL: 'http://127.0.0.1:8080',
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
  await broker.ensureStream('directory');
  const endings: (() => unknown)[] = [];
  const connect = (address: string): Replica => {
    const gateway = connectRpc({ address, telemetry, prover: createProver('gateway', keys['gateway']!.privateKey) });
    endings.push(() => gateway.close());
    return {
      presence: gateway.client(EmployeePresenceService),
      softphoneSessions: gateway.client(SoftphoneSessionService),
    };
  };
  const sequences = new Map<string, number>();

  return Object.assign(self, {
    ...connect(env.GRPC_LISTEN),
    db,
    published: listen(broker),
    hire(details: Partial<TestEmployee> = {}) {
      const fresh = { id: newId('emp'), companyId: newId('com'), name: 'Emma', invitationPending: false, revision: 1n };
      const employee = { ...fresh, ...details };
      employees.set(employee.id, employee);
      return employee;
    },
    as: ({ id, companyId }: TestEmployee) => ({
      as: { kind: 'employee' as const, companyId, employeeId: id, credentialId: 'key_1' },
    }),
    async publish(fact: 'created' | 'updated' | 'deleted', employee: TestEmployee) {
      const aggregateSequence = (sequences.get(employee.id) ?? 0) + 1;
      sequences.set(employee.id, aggregateSequence);
      const snapshot = known(employee.id);
      if (fact === 'deleted') employees.delete(employee.id);
      await broker.publish({
        id: newId('evt'),
        ...encodeMessage(`directory.employee.${fact}`, snapshot),
        companyId: employee.companyId,
        aggregateId: employee.id,
        aggregateSequence,
        occurredAt: new Date(),
        traceparent: undefined,
      });
    },
    async secondReplica() {
      const replica = await startService(service, { ...env, GRPC_LISTEN: socket('call-control-2') });
      endings.push(() => replica.stop());
      return connect(socket('call-control-2'));
    },
    async restart() {
      await running.stop();
      running = await startService(service, env);
    },
    async stop() {
      for (const end of endings.reverse()) await end();
      await running.stop();
      await peers.close(100);
      for (const stream of ['directory', 'call-control'])
        await broker.manager.streams.delete(broker.stream(stream)).catch(() => undefined);
      await broker.close();
      await mongo.close();
      await scratch.remove();
    },
  });
}

function listen(broker: Broker): EmployeeStatusChanged[] {
  const published: EmployeeStatusChanged[] = [];
  const seen = new Set<string>();
  broker.connection.subscribe(broker.eventPattern('call-control.employee_status.changed'), {
    callback: (_error, message) => {
      const { id, data } = decodeEvent(message.data);
      if (!seen.has(id)) published.push(fromBinary(EmployeeStatusChangedSchema, data));
      seen.add(id);
    },
  });
  return published;
}

function keyPair(): { privateKey: string; publicKey: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64'),
    publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
  };
}
