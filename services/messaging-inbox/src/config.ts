import type { EgressPolicy } from '@parley/egress';
import { commaList, egressSettings, httpOrigin, httpUrl, statefulServiceSettings } from '@parley/service';
import { z } from 'zod';

export const config = z
  .object({
    ...statefulServiceSettings,
    ...egressSettings,
    /** Our own public address, to which the SMS provider reports; never taken from a request. */
    PUBLIC_URL: httpUrl,
    TELNYX_API_URL: httpUrl.default('https://api.telnyx.com'),
    /** Without a key nothing is sent and nothing received. */
    TELNYX_API_KEY: z.string().min(1).optional(),
    /** The provider's Ed25519 public key, 32 bytes in base64. Several, with commas, while it is replaced. */
    TELNYX_PUBLIC_KEY: commaList.pipe(z.array(z.base64().length(44)).min(1)).optional(),
    /** The timeout of one request to the provider; after it, the outcome is unknown. */
    TELNYX_TIMEOUT_MS: z.coerce.number().int().min(100).max(15_000).default(8000),
    /** The sandbox, where there is one: its origin may be plain http and private. For test environments only. */
    SANDBOX_URL: httpOrigin.optional(),
    /** Per company. */
    TEXT_SNIPPETS_MAX: z.coerce.number().int().positive().default(1000),
    /** Responses of directory and numbers-routing are cached for this time, unless an event says that they are outdated. */
    PEER_CACHE_MS: z.coerce.number().int().min(0).max(60_000).default(30_000),
    DIRECTORY_ADDRESS: z.string(),
    NUMBERS_ROUTING_ADDRESS: z.string(),
    CALL_CONTROL_ADDRESS: z.string(),
    IDENTITY_ADDRESS: z.string(),
    ASSISTANT_ADDRESS: z.string(),
  })
  .refine((given) => (given.TELNYX_API_KEY === undefined) === (given.TELNYX_PUBLIC_KEY === undefined), {
    path: ['TELNYX_API_KEY'],
    message: 'TELNYX_API_KEY and TELNYX_PUBLIC_KEY must be set together',
  });

export type Config = z.output<typeof config>;

/** The push services of browsers. */
export function egressPolicyFrom(config: Config): EgressPolicy {
  const { ALLOWED_ORIGINS, SANDBOX_URL, DENIED_NETWORKS } = config;
  return {
    allowedOrigins: [...ALLOWED_ORIGINS, ...(SANDBOX_URL ? [SANDBOX_URL] : [])],
    deniedNetworks: DENIED_NETWORKS,
  };
}
