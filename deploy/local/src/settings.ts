import path from 'node:path';
import { type RealSwitch, serviceNames } from './services.ts';

/** The settings of this start. */
export interface Settings {
  /** The services to start alone, with stubs for the others; none for the whole stack. */
  readonly only: readonly string[];
  /** The port of the public gateway; the operator API, the sandbox and call-control's port for switches have the next three. */
  readonly port: number;
  readonly dataDir: string;
  /** Servers to use instead of the embedded ones. */
  readonly mongoUrl?: string;
  readonly natsUrl?: string;
  /** A FreeSWITCH to use instead of the sandbox's telephone network. */
  readonly realSwitch?: RealSwitch;
  readonly seed: 'demo' | 'none';
  readonly processes: 'one' | 'separate';
  /** Processes of every service but the sandbox, or of `replicated`; more than one means a process each. */
  readonly replicas: number;
  readonly replicated?: readonly string[];
  /** The first port for metrics in Prometheus's format, one for each service. */
  readonly metricsPort?: number;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the settings of `npm start`; an empty variable counts as absent. A wrong one is an error with one clear line. */
export function readSettings(env: Environment, checkout: string, args: readonly string[] = []): Settings {
  const only = readServices(args);
  return {
    only,
    port: readPort('PARLEY_PORT', env.PARLEY_PORT || (only.length === 0 ? '8080' : '8180')),
    dataDir: path.resolve(checkout, env.PARLEY_DATA_DIR || path.join('.parley', ...onlyDir(only))),
    mongoUrl: env.MONGODB_URL || undefined,
    natsUrl: env.NATS_URL || undefined,
    realSwitch: readRealSwitch(env),
    seed: oneOf('PARLEY_SEED', env.PARLEY_SEED || 'demo', ['demo', 'none']),
    processes: oneOf('PARLEY_PROCESSES', env.PARLEY_PROCESSES || 'one', ['one', 'separate']),
    replicas: Number(oneOf('PARLEY_REPLICAS', env.PARLEY_REPLICAS || '1', ['1', '2', '3'])),
    replicated: env.PARLEY_REPLICATED ? readServices(env.PARLEY_REPLICATED.split(',')) : undefined,
    metricsPort: env.PARLEY_METRICS_PORT ? readPort('PARLEY_METRICS_PORT', env.PARLEY_METRICS_PORT) : undefined,
  };
}

/** A service alone has its own data directory, besides that of the whole stack. */
function onlyDir(only: readonly string[]): string[] {
  return only.length === 0 ? [] : ['only', only.join('+')];
}

function readServices(args: readonly string[]): string[] {
  const unknown = args.find((name) => !serviceNames.includes(name));
  if (unknown !== undefined) throw new Error(`there is no service '${unknown}'; there are ${serviceNames.join(', ')}`);
  return serviceNames.filter((name) => args.includes(name));
}

function readRealSwitch(env: Environment): RealSwitch | undefined {
  const url = env.PARLEY_SWITCH;
  if (!url) return undefined;
  if (!URL.canParse(url) || new URL(url).protocol !== 'esl:')
    throw new Error('PARLEY_SWITCH must look like esl://user:password@host:port');
  return {
    url,
    listen: env.SWITCH_LISTEN || undefined,
    httpUrl: env.SWITCH_HTTP_URL || undefined,
    recordingsDir: env.SWITCH_RECORDINGS_DIR || undefined,
    all: env.SWITCHES || undefined,
  };
}

function readPort(name: string, text: string): number {
  const port = Number(text);
  // Three more ports follow it, and 28 for services that are started alone.
  if (!/^\d+$/.test(text) || port < 1 || port > 65_500) throw new Error(`${name} must be 1 to 65500, not '${text}'`);
  return port;
}

function oneOf<Choice extends string>(name: string, text: string, choices: readonly Choice[]): Choice {
  const choice = choices.find((candidate) => candidate === text);
  if (!choice) throw new Error(`${name} must be ${choices.join(' or ')}, not '${text}'`);
  return choice;
}
