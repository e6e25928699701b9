import { isIPv4 } from 'node:net';
import { baseSettings, listenAddress, natsSettings, rpcSettings } from '@parley/service';
import { z } from 'zod';

/** `127.0.0.1:8082` or `[::1]:8082`, taken apart. */
export function hostAndPort(address: string): { host: string; port: number } {
  const split = address.lastIndexOf(':');
  return { host: address.slice(0, split).replace(/^\[(.*)\]$/, '$1'), port: Number(address.slice(split + 1)) };
}

function isLoopback(address: string): boolean {
  const { host } = hostAndPort(address);
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
}

const settings = z.object({
  ...baseSettings,
  ...natsSettings,
  ...z.object(rpcSettings).partial().shape,
  /** Where softphones register; without it there are none. */
  CALL_CONTROL_ADDRESS: z.string().optional(),
  SANDBOX_LISTEN: listenAddress,
  SMTP_LISTEN: listenAddress,
  /** "on" where something else keeps strangers away, such as a container's own network. */
  SANDBOX_ALLOW_REMOTE: z.enum(['on', 'off']).default('off'),
});

/** Nobody signs in to the sandbox, so whoever reaches its ports owns it. */
const onLoopback = (name: 'SANDBOX_LISTEN' | 'SMTP_LISTEN') =>
  z.refine<Config>((given) => given.SANDBOX_ALLOW_REMOTE === 'on' || isLoopback(given[name]), {
    path: [name],
    message: 'must be a host:port on loopback, such as 127.0.0.1:8082, unless SANDBOX_ALLOW_REMOTE is "on"',
    // Also beside problems of other settings: all of them are reported at once.
    when: ({ value }) => listenAddress.safeParse((value as Partial<Config>)[name]).success,
  });

export const config = settings.check(onLoopback('SANDBOX_LISTEN'), onLoopback('SMTP_LISTEN'));

export type Config = z.infer<typeof settings>;
