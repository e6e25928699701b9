import path from 'node:path';

/** How a person set up this start. */
export interface Settings {
  /** Of the public gateway; the operator API, the sandbox and call-control's port for switches have the next three. */
  readonly port: number;
  readonly dataDir: string;
  /** Servers to use instead of the embedded ones. */
  readonly mongoUrl?: string;
  readonly natsUrl?: string;
  /** The event socket of a FreeSWITCH to use instead of the sandbox's telephone network. */
  readonly switchUrl?: string;
  readonly seed: 'demo' | 'none';
  readonly processes: 'one' | 'separate';
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the settings of `npm start`; an empty variable counts as absent. A wrong one is an error with one clear line. */
export function readSettings(env: Environment, checkout: string): Settings {
  return {
    port: readPort(env.PARLEY_PORT || '8080'),
    dataDir: path.resolve(checkout, env.PARLEY_DATA_DIR || '.parley'),
    mongoUrl: env.MONGODB_URL || undefined,
    natsUrl: env.NATS_URL || undefined,
    switchUrl: readSwitchUrl(env.PARLEY_SWITCH),
    seed: oneOf('PARLEY_SEED', env.PARLEY_SEED || 'demo', ['demo', 'none']),
    processes: oneOf('PARLEY_PROCESSES', env.PARLEY_PROCESSES || 'one', ['one', 'separate']),
  };
}

function readSwitchUrl(text: string | undefined): string | undefined {
  if (!text) return undefined;
  if (!URL.canParse(text) || new URL(text).protocol !== 'esl:')
    throw new Error('PARLEY_SWITCH must look like esl://user:password@host:port');
  return text;
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
