import { freePort } from '@parley/embedded';
import { addressSetting } from '@parley/service/service-names';
import { type Environment, inheritedEnvironment, serviceEnvironments } from '../environment.ts';
import type { Infrastructure } from '../infrastructure.ts';
import { checkPort, portsFrom } from '../ports.ts';
import { prepareStack } from '../prepare-stack.ts';
import { runServices } from '../run-services.ts';
import { type LocalService, type RealSwitch, serviceNames, services, type StackFacts } from '../services.ts';
import { stackFacts } from '../stack-facts.ts';
import { waitForHealth } from '../wait-for-health.ts';
import { startStubs } from './stubs.ts';

export interface AloneOptions {
  /** The services to start. */
  readonly only: readonly string[];
  readonly port: number;
  readonly dataDir: string;
  readonly mongoUrl?: string | undefined;
  readonly natsUrl?: string | undefined;
  /** Otherwise call-control has a switch only where the sandbox runs too. */
  readonly realSwitch?: RealSwitch | undefined;
  readonly environment: Environment;
  readonly progress: (line: string) => void;
  readonly signal: AbortSignal;
}

export interface ServiceAddresses {
  /** None for a service without gRPC. */
  readonly grpc: string | undefined;
  readonly health: string;
  /** The addresses of its HTTP APIs, by name. */
  readonly http: Readonly<Record<string, string>>;
}

/** Services without the rest of the stack. */
export interface AloneServices {
  readonly services: Readonly<Record<string, ServiceAddresses>>;
  readonly stubs: readonly string[];
  readonly operatorToken: string;
  readonly infrastructure: Pick<Infrastructure, 'mongoUrls' | 'nats'>;
  readonly dataDir: string;
  stop(): Promise<void>;
}

/** The first four ports after PARLEY_PORT are those of the whole stack. */
const FIRST_SERVICE_PORT = 10;
/** Services without gRPC have the addresses they listen on among their own settings. */
const WITHOUT_GRPC = ['gateway', 'sandbox'];

/** Starts some services with generated keys, their databases, a broker, and stubs for all other services. */
export async function startAlone(options: AloneOptions): Promise<AloneServices> {
  const { only, environment, progress, signal } = options;
  await using started = new AsyncDisposableStack();
  const chosen = services.filter(({ name }) => only.includes(name));
  const stubs = serviceNames.filter((name) => !only.includes(name) && !WITHOUT_GRPC.includes(name));
  const ports = new Map(chosen.map(({ name }) => [name, portsOf(name, options.port)]));
  async function checkOwnPorts(withinMs: number): Promise<void> {
    const deadline = performance.now() + withinMs;
    for (const [name, { grpc, health }] of ports) {
      await checkPort(grpc, name, deadline);
      await checkPort(health, `the health of ${name}`, deadline);
    }
  }
  const prepared = await prepareStack(
    { ...options, processes: 'one', services: chosen, checkPorts: checkOwnPorts },
    started,
  );
  const { dataDir, secrets, logs, log, infrastructure, dashboardDir } = prepared;

  const stubServers = await startStubs({
    names: stubs,
    address: (name) => `unix:${dataDir.socketDir}/${name}.grpc.sock`,
    trustedKeys: Object.fromEntries(serviceNames.map((name) => [name, secrets.services[name]?.publicKey ?? ''])),
    log: (line) => logs.write('stubs', line),
    signal,
  });
  started.defer(() => stubServers.stop());

  const facts = stackFacts({
    ports: portsFrom(options.port),
    secrets,
    smtpPort: await freePort(),
    eventSocketPort: await freePort(),
    dataDir: dataDir.path,
    dashboardDir,
    realSwitch: options.realSwitch,
  });
  const { socketDir } = dataDir;
  const all = serviceEnvironments({ services, facts, secrets, infrastructure, socketDir, own: environment });
  const addresses = Object.fromEntries(
    chosen.map(({ name }) => [addressSetting(name), `127.0.0.1:${ports.get(name)?.grpc}`]),
  );
  progress(`starting ${only.join(', ')}, with stubs for ${stubs.join(', ')} …`);
  const running = await runServices({
    processes: 'one',
    environments: Object.fromEntries(
      chosen.map((service) => [
        service.name,
        { ...all[service.name], ...addresses, ...ownSettings(service, ports.get(service.name)!, options) },
      ]),
    ),
    inherited: inheritedEnvironment(environment),
    log,
    output: logs.write,
    signal,
  });
  started.defer(() => running.stop());

  const found = Object.fromEntries(
    chosen.map(({ name }) => [name, addressesOf(name, ports.get(name)!, facts)]),
  ) satisfies Record<string, ServiceAddresses>;
  for (const { health } of Object.values(found)) await waitForHealth(health, signal);
  await dataDir.write('local.json', { services: found });
  signal.throwIfAborted();
  const owned = started.move();
  return {
    services: found,
    stubs,
    operatorToken: secrets.operatorToken,
    infrastructure,
    dataDir: dataDir.path,
    stop: () => owned.disposeAsync(),
  };
}

interface ServicePorts {
  readonly grpc: number;
  readonly health: number;
}

/** The same for a service whichever others run with it. */
function portsOf(name: string, first: number): ServicePorts {
  const grpc = first + FIRST_SERVICE_PORT + 2 * serviceNames.indexOf(name);
  return { grpc, health: grpc + 1 };
}

function ownSettings({ name }: LocalService, ports: ServicePorts, { only, realSwitch }: AloneOptions): Environment {
  return {
    GRPC_LISTEN: `127.0.0.1:${ports.grpc}`,
    HEALTH_LISTEN: `127.0.0.1:${ports.health}`,
    // Without the sandbox there is no switch, unless a real one is named.
    ...(name === 'call-control' && !only.includes('sandbox') && !realSwitch && { SWITCHES: '[]' }),
  };
}

function addressesOf(name: string, { grpc, health }: ServicePorts, facts: StackFacts): ServiceAddresses {
  const http: Record<string, Record<string, string>> = {
    gateway: {
      'Public API': `${facts.publicUrl}/api/v1`,
      'Operator API': `http://${facts.operatorListen}/operator/v1`,
    },
    sandbox: { Sandbox: facts.sandboxUrl },
  };
  return {
    grpc: WITHOUT_GRPC.includes(name) ? undefined : `127.0.0.1:${grpc}`,
    health: `http://127.0.0.1:${health}/healthz/ready`,
    http: http[name] ?? {},
  };
}
