import {
  baseSettings,
  commaList,
  encryptionKeys,
  grpcServerSettings,
  mongoSettings,
  natsSettings,
} from '@parley/service';
import { z } from 'zod';

const origins = commaList.pipe(z.array(z.url({ protocol: /^https?$/ }).transform((url) => new URL(url).origin)));

export const config = z.object({
  ...baseSettings,
  ...grpcServerSettings,
  ...mongoSettings,
  ...natsSettings,
  /** Base64 of 32 bytes. Several, with commas, while a key is replaced: the first one writes. */
  ENCRYPTION_KEY: encryptionKeys,
  /** Origins that may be plain http or private: the sandbox's. For test environments only. */
  ALLOWED_ORIGINS: origins.default([]),
  /** Networks of our own (CIDR) that have public addresses. */
  DENIED_NETWORKS: commaList.pipe(z.array(z.union([z.cidrv4(), z.cidrv6()]))).default([]),
  /** Where the bodies of texts are read. */
  MESSAGING_INBOX_ADDRESS: z.string(),
  /** How many subscriptions a company may have. */
  WEBHOOKS_MAX: z.coerce.number().int().positive().default(100),
  /** How long an attempt may take, from the connection to the end of the answer. */
  ATTEMPT_SECS_MAX: z.coerce.number().positive().max(60).default(15),
  /** Requests that one process has open at once, to all receivers together and to one. */
  REQUESTS_MAX: z.coerce.number().int().positive().default(400),
  REQUESTS_PER_RECEIVER_MAX: z.coerce.number().int().positive().default(10),
});

export type Config = z.output<typeof config>;
