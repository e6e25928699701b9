import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { startMongo, startNats } from '@parley/embedded';
import { CallerLookupService } from '@parley/proto/directory/v1/caller_context_pb';
import { CompanyLookupService } from '@parley/proto/directory/v1/company_lookup_pb';
import { RoutingService } from '@parley/proto/numbers_routing/v1/routing_pb';
import { natsAt, waitUntil } from '@parley/testkit';
import { fakeContract, startServiceForTest } from '@parley/testkit/service';
import { MongoClient } from 'mongodb';
import { type ScriptedSwitch, startScriptedSwitch } from './scripted-switch.ts';

/** call-control in a process of its own, with a MongoDB and a NATS of its own; its peers and its switch answer at once. */
export interface CallControlAlone {
  readonly network: ScriptedSwitch;
  readonly pids: Readonly<Record<string, number>>;
  /** The MongoDB of the service. */
  readonly client: MongoClient;
}

type Service = Parameters<typeof startServiceForTest>[0];

const MAIN = path.resolve(import.meta.dirname, '../../services/call-control/src/main.ts');
const CREDENTIALS = { user: 'bench', password: 'bench' };

const number = {
  id: 'num_1',
  companyId: 'com_1',
  name: 'Front desk',
  number: '+4570112233',
  numberFormatted: '+45 70 11 22 33',
  active: true,
};
/** Limits that the benchmark does not reach. */
const limits = {
  simultaneousCalls: 10_000,
  callsPerMinute: 10_000,
  employeeSimultaneousCalls: 100,
  employeeCallsPerMinute: 100,
};
const company = { id: 'com_1', name: 'Acme', country: 'DK', limits };
const message = { contentHash: 'abc', durationMs: 300 };
const flow = { config: { case: 'reject', value: { message } } };
const routing = { resolveRoute: async () => ({ number, withinBusinessHours: true, flow }) };
const peers = {
  'numbers-routing': [{ contract: RoutingService, answers: routing }],
  directory: [
    fakeContract(CallerLookupService, { lookUpCaller: async () => ({}) }),
    fakeContract(CompanyLookupService, { lookUpCompany: async () => ({ company, ownerId: 'emp_1' }) }),
  ],
};

export async function withCallControlAlone(
  folder: string,
  environment: Readonly<Record<string, string>>,
  work: (alone: CallControlAlone) => Promise<void>,
): Promise<void> {
  await using end = new AsyncDisposableStack();
  const log = () => {};
  const mongo = await startMongo({ dataDir: path.join(folder, 'mongo'), socketDir: folder, log });
  end.defer(() => mongo.stop());
  const nats = await startNats({ storeDir: path.join(folder, 'nats'), users: [CREDENTIALS], log });
  end.defer(() => nats.stop());
  const network = await startScriptedSwitch();
  end.defer(() => network.stop());
  const client = new MongoClient(mongo.url);
  end.defer(() => client.close());
  let pid = 0;
  const started = await startServiceForTest({ name: 'call-control' } as Service, {
    peers,
    follows: ['directory'],
    mongo: { url: mongo.url, database: () => client.db('call_control'), close: async () => {} },
    nats: natsAt(nats.url.replace('nats://', `nats://${CREDENTIALS.user}:${CREDENTIALS.password}@`)),
    settings: {
      ...environment,
      SWITCHES: JSON.stringify([{ name: 'one', url: network.url, secret: 'a secret of the switch' }]),
    },
    async start(env) {
      const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', MAIN], {
        env: { ...process.env, ...env },
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      const ended = once(child, 'exit');
      pid = child.pid ?? 0;
      return {
        async stop() {
          child.kill();
          await ended;
        },
      };
    },
  });
  end.defer(() => started.stop());
  await waitUntil(() => network.isRead, { what: 'call-control to read its switch', timeoutMs: 60_000 });
  await work({
    network,
    client,
    pids: { 'call-control': pid, 'its MongoDB': mongo.pid ?? 0, NATS: nats.pid ?? 0, 'the benchmark': process.pid },
  });
}
