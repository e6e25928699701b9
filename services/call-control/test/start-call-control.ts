import { generateKeyPairSync } from 'node:crypto';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { timestampNow } from '@bufbuild/protobuf/wkt';
import { notFound, Refused } from '@parley/errors';
import { type Broker, connectBroker, decodeEvent } from '@parley/events';
import { newId } from '@parley/ids';
import { PresenceChangedSchema } from '@parley/proto/call_control/v1/presence_events_pb';
import { type Presence, PresenceService } from '@parley/proto/call_control/v1/presence_pb';
import { EmployeeUpdatedSchema } from '@parley/proto/directory/v1/employee_events_pb';
import { EmployeeDirectoryService } from '@parley/proto/directory/v1/employees_pb';
import { connectRpc, createProver, createRpcServer, createVerifier, type RpcClient, services } from '@parley/rpc';
import { startService } from '@parley/service';
import { startTelemetry } from '@parley/telemetry';
import { scratchDir, testMongo, testNats, uniqueName } from '@parley/testkit';
import type { Db } from 'mongodb';
import { service } from '../src/index.ts';

export interface TestEmployee {
  id: string;
  companyId: string;
  invitationPending: boolean;
}

/** Call-control as it runs, with real MongoDB and NATS; directory and the softphones are played by the test. */
export interface TestCallControl {
  readonly presence: RpcClient<typeof PresenceService>;
  readonly db: Db;
  /** Everything published about presence so far, in order. */
  readonly heard: Presence[];
  hire(details?: Partial<TestEmployee>): TestEmployee;
  /** Publishes a fact of directory's about an employee. */
  tell(fact: 'updated' | 'status_changed' | 'deleted', employee: TestEmployee, doNotDisturb: boolean): Promise<void>;
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export async function startCallControl(settings: Record<string, string> = {}): Promise<TestCallControl> {
  const scratch = await scratchDir();
  const keys = { directory: keyPair(), sandbox: keyPair(), 'call-control': keyPair() };
  const trusted = Object.fromEntries(Object.entries(keys).map(([name, { publicKey }]) => [name, publicKey]));
  const telemetry = startTelemetry({ service: 'test', version: '0', logLevel: 'silent' });
  const mongo = testMongo();
  const db = mongo.database('call_control');
  const nats = testNats();
  const prefix = uniqueName('t').replace('_', '-');
  const employees = new Map<string, TestEmployee>();

  const directory = createRpcServer({ telemetry, verify: createVerifier(trusted), ready: async () => true });
  directory.add(EmployeeDirectoryService, services('call-control'), {
    async recordSignIn({ employeeId }) {
      const employee = employees.get(employeeId);
      if (!employee) throw new Refused(notFound);
      employee.invitationPending = false;
      return { employee };
    },
    checkEmployees: async () => ({}),
    async *listCompanyEmployees() {},
  });
  await directory.listen(`unix:${scratch.path}/directory.sock`);

  const address = `unix:${scratch.path}/call-control.sock`;
  const env = {
    LOG_LEVEL: 'silent',
    SIGNING_KEY: keys['call-control'].privateKey,
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
  const broker = await connectBroker({ ...nats, prefix, name: 'test', log: telemetry.log });
  await broker.ensureStream('directory');
  const heard = listen(broker);
  const channel = connectRpc({ address, telemetry, prover: createProver('sandbox', keys.sandbox.privateKey) });
  const sequences = new Map<string, number>();
  return {
    presence: channel.client(PresenceService),
    db,
    heard,
    hire(details = {}) {
      const employee = { id: newId('emp'), companyId: newId('com'), invitationPending: false, ...details };
      employees.set(employee.id, employee);
      return employee;
    },
    async tell(fact, employee, doNotDisturb) {
      const aggregateSequence = (sequences.get(employee.id) ?? 0) + 1;
      sequences.set(employee.id, aggregateSequence);
      if (fact === 'deleted') employees.delete(employee.id);
      const snapshot = { ...employee, ...(doNotDisturb && { doNotDisturbActivatedAt: timestampNow() }) };
      await broker.publish({
        id: newId('evt'),
        type: `directory.employee.${fact}`,
        companyId: employee.companyId,
        aggregateId: employee.id,
        aggregateSequence,
        occurredAt: new Date(),
        traceparent: undefined,
        data: toBinary(EmployeeUpdatedSchema, create(EmployeeUpdatedSchema, { employee: snapshot })),
      });
    },
    async restart() {
      await running.stop();
      running = await startService(service, env);
    },
    async stop() {
      channel.close();
      await running.stop();
      await directory.close(100);
      for (const stream of ['directory', 'call-control'])
        await broker.manager.streams.delete(broker.stream(stream)).catch(() => undefined);
      await broker.close();
      await mongo.close();
      await scratch.remove();
    },
  };
}

function listen(broker: Broker): Presence[] {
  const heard: Presence[] = [];
  broker.connection.subscribe(broker.eventPattern('call-control.presence.changed'), {
    callback: (_error, message) => {
      const { presence } = fromBinary(PresenceChangedSchema, decodeEvent(message.data).data);
      if (presence) heard.push(presence);
    },
  });
  return heard;
}

function keyPair(): { privateKey: string; publicKey: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64'),
    publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
  };
}
