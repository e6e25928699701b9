import { isIPv4 } from 'node:net';
import { baseSettings, commaList, httpUrl, listenAddress, natsSettings, rpcSettings } from '@parley/service';
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
  /** The services for presence, employees and speech; without them there are no softphones. */
  CALL_CONTROL_ADDRESS: z.string().optional(),
  DIRECTORY_ADDRESS: z.string().optional(),
  SPEECH_ADDRESS: z.string().optional(),
  /** The address on which the simulated switch listens for call-control; without it there is no telephone network. */
  EVENT_SOCKET_LISTEN: listenAddress.optional(),
  EVENT_SOCKET_USER: z.string().min(1).default('call-control'),
  EVENT_SOCKET_PASSWORD: z.string().min(8).optional(),
  /** call-control's address for switches, and `user:password` for it. */
  SWITCH_HTTP_URL: z.url().optional(),
  SWITCH_HTTP_CREDENTIALS: z
    .string()
    .regex(/^[^:]+:.+$/, 'must be user:password')
    .optional(),
  /** The folder of recordings; by default a temporary one that is removed when the sandbox stops. */
  SWITCH_FILES_DIR: z.string().min(1).optional(),
  /** Where the switch takes SIP of its calls to SIP addresses; their audio is on any port of that host. */
  SWITCH_SIP_LISTEN: listenAddress.default('127.0.0.1:0'),
  SIP_DOMAIN: z.string().min(1).default('parley.invalid'),
  /** The factor by which prompts and speech are faster than in reality. */
  SANDBOX_MEDIA_SPEED: z.coerce.number().min(1).max(1000).default(20),
  /** The gateway, to which the SMS provider reports and whose pages may use the sandbox; without it there is no provider. */
  PUBLIC_URL: httpUrl.optional(),
  /** The SMS provider's Ed25519 private key: PKCS #8 DER, base64. */
  TELNYX_SIGNING_KEY: z.base64().optional(),
  SANDBOX_LISTEN: listenAddress,
  SMTP_LISTEN: listenAddress,
  /** Names by which the sandbox is asked, beside this machine's own, with commas. */
  SANDBOX_HOSTS: commaList.transform((names) => names.map((name) => name.toLowerCase())).default([]),
  /** "on" where a private network restricts access, such as a container's own network. */
  SANDBOX_ALLOW_REMOTE: z.enum(['on', 'off']).default('off'),
});

/** The sandbox has no authentication, so its ports must not be reachable from outside. */
const onLoopback = (name: 'SANDBOX_LISTEN' | 'SMTP_LISTEN' | 'EVENT_SOCKET_LISTEN' | 'SWITCH_SIP_LISTEN') =>
  z.refine<Config>((given) => given.SANDBOX_ALLOW_REMOTE === 'on' || isLoopback(given[name] ?? 'localhost:0'), {
    path: [name],
    message: 'must be a host:port on loopback, such as 127.0.0.1:8082, unless SANDBOX_ALLOW_REMOTE is "on"',
    // Also when other settings are invalid: all problems are reported at once.
    when: ({ value }) => listenAddress.safeParse((value as Partial<Config>)[name]).success,
  });

const withPassword = z.refine<Config>(
  (given) => !given.EVENT_SOCKET_LISTEN || given.EVENT_SOCKET_PASSWORD !== undefined,
  {
    path: ['EVENT_SOCKET_PASSWORD'],
    message: 'is required with EVENT_SOCKET_LISTEN',
  },
);

export const config = settings.check(
  onLoopback('SANDBOX_LISTEN'),
  onLoopback('SMTP_LISTEN'),
  onLoopback('EVENT_SOCKET_LISTEN'),
  onLoopback('SWITCH_SIP_LISTEN'),
  withPassword,
);

export type Config = z.infer<typeof settings>;
