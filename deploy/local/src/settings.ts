import path from 'node:path';

/** How a person set up this start. */
export interface Settings {
  /** Of the public gateway; the operator API, the sandbox and call-control's port for switches have the next three. */
  readonly port: number;
  readonly dataDir: string;
  /** Servers to use instead of the embedded ones. */
  readonly mongoUrl?: string;
  readonly natsUrl?: string;
  /** A FreeSWITCH to use instead of the sandbox's telephone network. */
  readonly realSwitch?: RealSwitch;
  readonly seed: 'demo' | 'none';
  readonly processes: 'one' | 'separate';
}

/** A FreeSWITCH with the configuration of `deploy/freeswitch`. */
export interface RealSwitch {
  /** Of its event socket: `esl://user:password@host:port`. */
  readonly url: string;
  /** Where call-control listens for it, and the address by which it reaches that; both on loopback unless said otherwise. */
  readonly listen?: string;
  readonly httpUrl?: string;
  /** Where it keeps its recordings. */
  readonly recordingsDir?: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the settings of `npm start`; an empty variable counts as absent. A wrong one is an error with one clear line. */
export function readSettings(env: Environment, checkout: string): Settings {
  return {
    port: readPort(env.PARLEY_PORT || '8080'),
    dataDir: path.resolve(checkout, env.PARLEY_DATA_DIR || '.parley'),
    mongoUrl: env.MONGODB_URL || undefined,
    natsUrl: env.NATS_URL || undefined,
    realSwitch: readRealSwitch(env),
    seed: oneOf('PARLEY_SEED', env.PARLEY_SEED || 'demo', ['demo', 'none']),
    processes: oneOf('PARLEY_PROCESSES', env.PARLEY_PROCESSES || 'one', ['one', 'separate']),
  };
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
  };
}

function readPort(text: string): number {
  const port = Number(text);
  // Three more ports follow it.
  if (!/^\d+$/.test(text) || port < 1 || port > 65_532)
    throw new Error(`PARLEY_PORT must be 1 to 65532, not '${text}'`);
  return port;
}

function oneOf<Choice extends string>(name: string, text: string, choices: readonly Choice[]): Choice {
  const choice = choices.find((candidate) => candidate === text);
  if (!choice) throw new Error(`${name} must be ${choices.join(' or ')}, not '${text}'`);
  return choice;
}
