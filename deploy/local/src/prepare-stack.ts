import path from 'node:path';
import { builtDashboard } from '@parley/dashboard/build';
import { type DataDir, openDataDir } from './data-dir.ts';
import { checkExternalServers } from './external-servers.ts';
import { type Infrastructure, startInfrastructure } from './infrastructure.ts';
import { type LogFiles, openLogFiles } from './log-files.ts';
import { loadSecrets, natsPasswordsOf, type Secrets } from './secrets.ts';
import { type LocalService, serviceNames } from './services.ts';

interface PrepareOptions {
  readonly dataDir: string;
  /** The services that will run; those with a database get one. */
  readonly services: readonly LocalService[];
  /** Servers to use instead of the embedded ones. */
  readonly mongoUrl?: string | undefined;
  readonly natsUrl?: string | undefined;
  readonly processes: 'one' | 'separate';
  /** Fails when a port is taken for longer than the time. */
  readonly checkPorts: (withinMs: number) => Promise<void>;
  /** One line for each event that is worth showing to the user. */
  readonly progress: (line: string) => void;
  readonly signal: AbortSignal;
}

/** The preconditions of services; their cleanups are deferred to the given stack. */
export interface PreparedStack {
  readonly dataDir: DataDir;
  readonly secrets: Secrets;
  readonly logs: LogFiles;
  readonly log: (line: string) => void;
  readonly infrastructure: Infrastructure;
  /** The folder of the built dashboard; empty without the gateway, which serves it. */
  readonly dashboardDir: string;
}

/** What a killed launcher leaves behind stops by itself, within ten seconds on a machine that is not busy. */
const AFTER_KILL_MS = 20_000;

/** Opens the data directory with its secrets and logs, starts MongoDB and NATS, and builds the dashboard meanwhile. */
export async function prepareStack(options: PrepareOptions, started: AsyncDisposableStack): Promise<PreparedStack> {
  const { services, mongoUrl, natsUrl, progress, signal } = options;
  const dataDir = await openDataDir(options.dataDir);
  started.defer(() => dataDir.release());
  await options.checkPorts(dataDir.afterKill ? AFTER_KILL_MS : 0);
  await checkExternalServers(options);
  await dataDir.remove('local.json');
  const secrets = await loadSecrets(dataDir, serviceNames);
  const logs = openLogFiles(path.join(dataDir.path, 'logs'));
  started.defer(() => logs.close());
  const log = (line: string) => {
    logs.write('stack', line);
    if (/exited unexpectedly|has restarted|could not start/.test(line)) progress(line);
  };
  const dashboard = services.some(({ name }) => name === 'gateway') ? builtDashboard(signal) : Promise.resolve('');
  // A failure is reported where it is awaited.
  dashboard.catch(() => undefined);
  const embedded = [!mongoUrl && 'MongoDB', !natsUrl && 'NATS'].filter(Boolean);
  if (embedded.length > 0) progress(`starting ${embedded.join(' and ')} …`);
  const infrastructure = await startInfrastructure({
    services: services.filter(({ hasDatabase }) => hasDatabase).map(({ name }) => name),
    dataDir: dataDir.path,
    socketDir: dataDir.socketDir,
    natsPasswords: natsPasswordsOf(secrets),
    mongoUrl,
    natsUrl,
    processes: options.processes,
    log,
    signal,
  });
  started.defer(() => infrastructure.stop());
  return { dataDir, secrets, logs, log, infrastructure, dashboardDir: await dashboard };
}
