export type Environment = Readonly<Record<string, string | undefined>>;

/** One line for a person who set something wrong. */
export class WrongSetting extends Error {
  constructor(name: string, expected: string) {
    super(`${name} must be ${expected}`);
    this.name = 'WrongSetting';
  }
}

const NETWORK = /^[0-9a-f.:]{2,45}(\/\d{1,3})?$/i;

/** Readers of settings in the environment, where an empty variable counts as absent. */
export function settingsReader(env: Environment) {
  const text = (name: string, pattern: RegExp, expected: string, fallback?: string): string => {
    const value = env[name] || fallback;
    if (value === undefined || !pattern.test(value)) throw new WrongSetting(name, expected);
    return value;
  };
  const count = (name: string, fallback: number): number => {
    const value = Number(env[name] || fallback);
    if (!Number.isSafeInteger(value) || value < 1) throw new WrongSetting(name, 'a number above 0');
    return value;
  };
  const port = (name: string, fallback: number): number => {
    const value = count(name, fallback);
    if (value > 65_535) throw new WrongSetting(name, 'a port');
    return value;
  };
  /** `off`, or a port. */
  const optionalPort = (name: string, fallback: number | 'off'): number | undefined =>
    (env[name] || fallback) === 'off' ? undefined : port(name, Number(fallback));
  const networks = (name: string, fallback: string): readonly string[] => {
    const listed = (env[name] || fallback).split(',').flatMap((item) => item.trim() || []);
    if (!listed.every((network) => NETWORK.test(network)))
      throw new WrongSetting(name, 'networks, such as 192.0.2.0/24');
    return listed.map((network) =>
      network.includes('/') ? network : `${network}/${network.includes(':') ? 128 : 32}`,
    );
  };
  return { text, count, port, optionalPort, networks };
}
