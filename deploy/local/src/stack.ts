import { freePort } from '@parley/embedded';
import { readSwitchAddress } from '@parley/event-socket';
import { checkSwitch } from './check-switch.ts';
import type { DataDir } from './data-dir.ts';
import { type Environment, inheritedEnvironment, serviceEnvironments } from './environment.ts';
import { checkPorts, portsFrom } from './ports.ts';
import { prepareStack } from './prepare-stack.ts';
import { replicaEnvironments, replicaUrls } from './replicas.ts';
import { runServices } from './run-services.ts';
import { type Demo, demoExists, seedDemo, type SeedOptions } from './seed-demo.ts';
import { type RealSwitch, serviceNames, services } from './services.ts';
import { stackFacts } from './stack-facts.ts';
import { waitForHealth } from './wait-for-health.ts';

export interface StackOptions {
  /**
   * The port of the public gateway; the operator API, the sandbox and the port for switches have the next three. Without it, four
   * free ones.
   */
  readonly port?: number;
  readonly dataDir: string;
  /** Servers to use instead of the embedded ones. */
  readonly mongoUrl?: string;
  readonly natsUrl?: string;
  /** A FreeSWITCH to use instead of the sandbox's telephone network. */
  readonly realSwitch?: RealSwitch;
  /** No demo company by default. */
  readonly seed?: 'demo' | 'none';
  /** All services in one process, unless each shall have its own. */
  readonly processes?: 'one' | 'separate';
  /** Replicas of every service except the sandbox, each in a separate process; default 1. */
  readonly replicas?: number;
  /** The first port for metrics in Prometheus's format; each service has the next one. None by default. */
  readonly metricsPort?: number;
  /** The services that have replicas, if not all. */
  readonly replicated?: readonly string[];
  /** The source of PATH, OTEL_* and LOG_LEVEL of the services. */
  readonly environment?: Environment;
  /** Further settings of single services, by their names. */
  readonly settings?: Readonly<Record<string, Environment>>;
  /** One line for each thing worth telling a person. */
  readonly progress?: (line: string) => void;
  /** Aborts a start that has not finished. */
  readonly signal?: AbortSignal;
}

/** A running stack. */
export interface Stack {
  readonly baseUrl: string;
  readonly operatorUrl: string;
  readonly operatorToken: string;
  readonly sandboxUrl: string;
  readonly dataDir: string;
  readonly demo: Demo | null;
  /** What Prometheus reads, by process name; empty without `metricsPort`. */
  readonly metrics: Readonly<Record<string, string>>;
  /**
   * A real switch: where it is, where it finds call-control, and why it could not be reached when the stack was ready;
   * null with the sandbox's telephone network.
   */
  readonly realSwitch: { at: string; httpUrl: string; problem: string | undefined } | null;
  /** Every process of the stack, for fault tests. */
  processes(): { name: string; pid: number | undefined }[];
  /** Stops everything; nothing is left when it resolves. */
  stop(): Promise<void>;
}

/** Plans are moved first; what the sandbox then waits for, work that comes to rest, a start need not wait for. */
const RETURN_LIMIT_MS = 3_000;

/** Starts the whole of Parley on this machine; what had been started before a failure is stopped again. */
export async function startStack(options: StackOptions): Promise<Stack> {
  const { seed = 'none', replicas = 1, environment = process.env, progress = () => {} } = options;
  const processes = replicas > 1 ? 'separate' : (options.processes ?? 'one');
  const signal = options.signal ?? new AbortController().signal;
  await using started = new AsyncDisposableStack();

  const ports = portsFrom(options.port ?? (await freePort(4)));
  const prepared = await prepareStack(
    { ...options, processes, services, checkPorts: (withinMs) => checkPorts(ports, withinMs), progress, signal },
    started,
  );
  const { dataDir, secrets, logs, log, infrastructure, dashboardDir } = prepared;

  progress(`starting ${serviceNames.join(', ')} …`);
  const [smtpPort, eventSocketPort] = [await freePort(), await freePort()];
  const facts = stackFacts({
    ports,
    secrets,
    smtpPort,
    eventSocketPort,
    dataDir: dataDir.path,
    dashboardDir,
    realSwitch: options.realSwitch,
  });
  const { socketDir } = dataDir;
  const own = serviceEnvironments({ services, facts, secrets, infrastructure, socketDir, own: environment });
  const single = Object.fromEntries(
    Object.entries(own).map(([name, settings], index) => [
      name,
      { ...settings, ...metricsSettings(options.metricsPort, index), ...options.settings?.[name] },
    ]),
  );
  const environments = replicas > 1 ? await replicaEnvironments(single, replicas, options.replicated) : single;
  const running = await runServices({
    processes,
    environments,
    inherited: inheritedEnvironment(environment),
    log,
    output: logs.write,
    signal,
  });
  started.defer(() => running.stop());

  const addresses = {
    baseUrl: facts.publicUrl,
    operatorUrl: `http://${facts.operatorListen}`,
    operatorToken: secrets.operatorToken,
    sandboxUrl: facts.sandboxUrl,
  };
  await waitForHealth(`${addresses.baseUrl}/healthz`, signal);
  await returnToRealTime(addresses.sandboxUrl, signal);
  const sandboxUrl = options.realSwitch ? undefined : addresses.sandboxUrl;
  const demo = seed === 'demo' ? await loadDemo(dataDir, { ...addresses, sandboxUrl, signal, progress }) : null;
  const metrics = metricsAddresses(environments);
  await dataDir.write('local.json', {
    base_url: addresses.baseUrl,
    operator_url: addresses.operatorUrl,
    operator_token: addresses.operatorToken,
    sandbox_url: addresses.sandboxUrl,
    demo,
    ...(replicas > 1 && { replicas: replicaUrls(environments) }),
    ...(options.metricsPort !== undefined && { metrics }),
  });
  const realSwitch = options.realSwitch ? await tryRealSwitch(options.realSwitch, facts.switchHttpUrl, progress) : null;
  signal.throwIfAborted();

  const owned = started.move();
  return {
    ...addresses,
    dataDir: dataDir.path,
    demo,
    metrics,
    realSwitch,
    processes: () => [...infrastructure.processes(), ...running.processes()],
    stop: () => owned.disposeAsync(),
  };
}

function metricsSettings(first: number | undefined, index: number): Environment {
  return first === undefined ? {} : { METRICS_LISTEN: `127.0.0.1:${first + index}` };
}

function metricsAddresses(environments: Readonly<Record<string, Environment>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environments).flatMap(([name, { METRICS_LISTEN }]) =>
      METRICS_LISTEN ? [[name, METRICS_LISTEN]] : [],
    ),
  );
}

/** A switch that is not there yet does not keep the stack from starting, but a person should know. */
async function tryRealSwitch({ url }: RealSwitch, httpUrl: string, progress: (line: string) => void) {
  const address = readSwitchAddress(url);
  if (!address) throw new Error('PARLEY_SWITCH must look like esl://user:password@host:port');
  const at = `${address.host}:${address.port}`;
  const problem = await checkSwitch(address);
  if (problem !== undefined) progress(`the switch at ${at} cannot be used: ${problem}; call-control keeps trying`);
  return { at, httpUrl, problem };
}

/** The run before may have been stopped with its clock ahead: what it planned there must not wait until then. */
async function returnToRealTime(sandboxUrl: string, signal: AbortSignal): Promise<void> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(RETURN_LIMIT_MS)]);
  await fetch(`${sandboxUrl}/clock`, { method: 'DELETE', signal: limit }).catch(() => undefined);
}

async function loadDemo(dataDir: DataDir, options: SeedOptions): Promise<Demo> {
  const known = await dataDir.read<Demo>('demo.json');
  if (known && (await demoExists(known, options))) return known;
  options.progress('creating the demo company with a week of calls and texts …');
  return seedDemo(options, (demo) => dataDir.write('demo.json', demo));
}
