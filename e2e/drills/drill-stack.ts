import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type EmbeddedMongo, freePort, startMongo, startNats, superviseProcess } from '@parley/embedded';
import {
  completeSecrets,
  type Environment,
  inheritedEnvironment,
  NODE_ARGS,
  natsPasswordsOf,
  natsUsers,
  openLogFiles,
  portsFrom,
  programOf,
  replicaEnvironments,
  replicaUrls,
  serviceEnvironments,
  serviceNames,
  serviceOf,
  services,
  stackFacts,
} from '@parley/local';
import { waitUntil } from '@parley/testkit/wait-until';
import type { Random } from '../support/random.ts';
import { healthy } from '../support/kill-processes.ts';
import type { LocalJson } from '../support/local-stack.ts';
import { warmUp } from '../support/warm-up.ts';
import type { Drill } from './drill.ts';

export type DrillStack = Awaited<ReturnType<typeof startDrillStack>>;

export interface DrillStackOptions {
  /** Processes of every service that can be started; the sandbox, which is the outside world, has one. */
  readonly replicasMax?: number;
  /** Processes of every service that run at first. */
  readonly replicas?: number;
  /** The checkout whose services run at first; this one otherwise. */
  readonly checkout?: string;
  /** Services that are not in that checkout. */
  readonly without?: readonly string[];
  /** Folders of the stores, if not in the data directory. */
  readonly stores?: Partial<Record<'mongo' | 'nats' | 'switch', string>>;
  /** Further settings of single services. */
  readonly settings?: Readonly<Record<string, Environment>>;
}

const READY_WITHIN_MS = 180_000;
/** Time for clients to detect that a replica is not ready; five seconds in the chart. */
const DRAIN_SECS = 2;
const STOP_MS_MAX = 10_000;
const PORTS = 4;
const REPO = path.resolve(import.meta.dirname, '../..');

/**
 * A stack whose parts a drill starts, stops and replaces one by one, as an operator does with a cluster: the database, the broker, and
 * the processes of services, each with settings that change at its next start.
 */
export async function startDrillStack(drill: Pick<Drill, 'defer'>, options: DrillStackOptions = {}) {
  const { replicas = 1, replicasMax = replicas, stores = {}, checkout = REPO, without = [] } = options;
  const dataDir = await mkdtemp(path.join(tmpdir(), 'parley-drill-'));
  drill.defer(() => rm(dataDir, { recursive: true, force: true }));
  const logs = openLogFiles(path.join(dataDir, 'logs'));
  drill.defer(() => logs.close());
  const log = (line: string) => logs.write('stack', line);
  const secrets = completeSecrets(undefined, serviceNames);
  const databases = services.filter(({ hasDatabase }) => hasDatabase).map(({ name }) => name);
  const folders = { mongo: path.join(dataDir, 'mongo'), nats: path.join(dataDir, 'nats'), ...stores };

  const openMongo = () =>
    startMongo({ dataDir: folders.mongo, socketDir: dataDir, clients: databases, restart: true, log });
  let mongo: EmbeddedMongo | undefined = await openMongo();
  drill.defer(async () => mongo?.stop());
  const natsPort = await freePort();
  let users = natsUsers(natsPasswordsOf(secrets));
  const openNats = () => startNats({ storeDir: folders.nats, port: natsPort, users, restart: true, log });
  let nats: Awaited<ReturnType<typeof openNats>> | undefined = await openNats();
  drill.defer(async () => nats?.stop());

  const [first, smtpPort, eventSocketPort] = [await freePort(PORTS), await freePort(), await freePort()];
  const ports = portsFrom(first);
  const given = { ports, secrets, smtpPort, eventSocketPort, dataDir, dashboardDir: '', realSwitch: undefined };
  const facts = { ...stackFacts(given), ...(stores.switch !== undefined && { switchFilesDir: stores.switch }) };
  const own = { ...process.env, DRAIN_SECS: String(DRAIN_SECS) };
  const { url } = nats;
  const natsOf = (name: string) => [name, { url, user: name, password: secrets.services[name]!.natsPassword }];
  const infrastructure = { mongoUrls: mongo.urls, nats: Object.fromEntries(serviceNames.map(natsOf)) };
  const single = serviceEnvironments({ services, facts, secrets, infrastructure, socketDir: dataDir, own });
  // Speech does not use NATS.
  for (const name of ['NATS_URL', 'NATS_USER', 'NATS_PASSWORD'])
    single['speech'] = { ...single['speech'], [name]: undefined };
  const withSettings = Object.fromEntries(
    Object.entries(single).map(([name, settings]) => [name, { ...settings, ...options.settings?.[name] }]),
  );
  const settings: Record<string, Environment> = await replicaEnvironments(withSettings, replicasMax);
  const inherited = inheritedEnvironment(process.env);
  const running = new Map<string, Awaited<ReturnType<typeof superviseProcess>>>();
  drill.defer(() => stopAll());

  const gateway = `http://${settings['gateway']!['PUBLIC_LISTEN']}`;
  const local: LocalJson & { readonly replicas: NonNullable<LocalJson['replicas']> } = {
    base_url: gateway,
    operator_url: `http://${facts.operatorListen}`,
    operator_token: secrets.operatorToken,
    sandbox_url: facts.sandboxUrl,
    replicas: replicaUrls(settings) as NonNullable<LocalJson['replicas']>,
  };

  const isReady = (name: string) =>
    fetch(`${local.replicas[name]?.health_url}/healthz/ready`, { signal: AbortSignal.timeout(1000) }).then(
      async (response) => (await response.text(), response.ok),
      () => false,
    );

  /** Starts a process and waits until it is ready, unless another state is expected of it. */
  async function start(name: string, { from = REPO, awaitsReady = true } = {}): Promise<void> {
    const program = path.join(from, path.relative(REPO, programOf(serviceOf(name))));
    const supervised = await superviseProcess({
      name,
      program,
      nodeArgs: NODE_ARGS,
      env: { ...inherited, ...settings[name] },
      restart: true,
      log,
      output: (line) => logs.write(name, line),
      stopMs: STOP_MS_MAX,
    });
    running.set(name, supervised);
    if (awaitsReady) await waitUntil(() => isReady(name), { what: `${name} to be ready`, timeoutMs: READY_WITHIN_MS });
  }

  /** Ends a process as Kubernetes does. */
  async function stop(name: string): Promise<void> {
    const process = running.get(name);
    running.delete(name);
    await process?.stop();
  }

  const isService = (name: string) => serviceOf(name) !== 'sandbox';
  const runningOf = (service: string) => [...running.keys()].filter((name) => serviceOf(name) === service);

  /** Stops every service but the outside world: the gateways first, which still need the others. */
  async function stopServices(): Promise<void> {
    await Promise.all(runningOf('gateway').map(stop));
    await Promise.all([...running.keys()].filter(isService).map(stop));
  }

  async function stopAll(): Promise<void> {
    await stopServices();
    await Promise.all([...running.keys()].map(stop));
  }

  const namesOf = (count: number, leftOut: readonly string[] = []) =>
    Object.keys(settings).filter(
      (name) => !leftOut.includes(serviceOf(name)) && Number(name.split('@')[1] ?? 1) <= count,
    );

  /** Starts so many processes of every service, those that do not run yet. */
  async function startServices(count = replicas, from = checkout): Promise<void> {
    const missing = namesOf(count, without).filter((name) => !running.has(name));
    await Promise.all(missing.map((name) => start(name, { from: isService(name) ? from : REPO, awaitsReady: false })));
    await healthy({ local, dataDir });
    for (const name of missing)
      await waitUntil(() => isReady(name), { what: `${name} to be ready`, timeoutMs: READY_WITHIN_MS });
  }

  const stack = {
    local,
    dataDir,
    folders,
    secrets,
    /** The services that have replicas, in the order of their start. */
    services: serviceNames.filter((name) => name !== 'sandbox'),
    isReady,
    runningOf,
    pidOf: (name: string) => running.get(name)?.pid,
    start,
    stop,
    startServices,
    stopServices,
    namesOf,
    /** Changes settings of a service; its processes have them from their next start on. */
    change(service: string, changed: Environment): void {
      for (const name of Object.keys(settings))
        if (serviceOf(name) === service) settings[name] = { ...settings[name], ...changed };
    },
    /** Changes settings of one process. */
    changeProcess: (name: string, changed: Environment) => void (settings[name] = { ...settings[name], ...changed }),
    /** A process with settings of its own, which is not one of the replicas. */
    add: (name: string, own: Environment) => void (settings[name] = own),
    settingsOf: (name: string): Environment => settings[name] ?? {},
    /** Restarts the processes of a service one after the other, as a rollout that never has fewer than the others ready. */
    async rollOut(service: string, from = REPO): Promise<void> {
      for (const name of runningOf(service)) {
        await stop(name);
        await start(name, { from });
      }
    },
    /**
     * Restarts one process of every service at the same time, then the other ones, as `helm upgrade` does after a change that concerns
     * all. `random`: in which order; `without`: services that are not part of it any more.
     */
    async rollOutAll(random: Random, from = REPO, without: readonly string[] = []): Promise<void> {
      const names = [...running.keys()].filter(isService);
      const rounds = Map.groupBy(names, (name) => Number(name.split('@')[1] ?? 1));
      const order = [...rounds.values()];
      for (const round of random.chance(0.5) ? order : order.toReversed())
        await Promise.all(
          round.map(async (name) => {
            await stop(name);
            if (!without.includes(serviceOf(name))) await start(name, { from });
          }),
        );
    },
    mongo: {
      pid: () => mongo?.pid,
      async stop() {
        await mongo?.stop();
        mongo = undefined;
      },
      async start() {
        mongo ??= await openMongo();
      },
      /** The address of a service's database. */
      urlOf: (service: string) => mongo?.urls[service] ?? '',
    },
    nats: {
      pid: () => nats?.pid,
      async stop() {
        await nats?.stop();
        nats = undefined;
      },
      async start() {
        nats ??= await openNats();
      },
      users: () => users,
      async setUsers(changed: typeof users) {
        users = changed;
        await nats?.setUsers(users);
      },
    },
  };

  await startServices();
  await warmUp(local);
  return stack;
}
