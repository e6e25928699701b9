import { baseSettings, grpcServerSettings, mongoSettings, natsSettings } from '@parley/service';
import { z } from 'zod';

export const config = z.object({
  ...baseSettings,
  ...grpcServerSettings,
  ...mongoSettings,
  ...natsSettings,
  DIRECTORY_ADDRESS: z.string(),
  SPEECH_ADDRESS: z.string(),
  /** 32 bytes in base64; the signatures of audio addresses are derived from it. */
  ENCRYPTION_KEY: z.base64().refine((key) => Buffer.from(key, 'base64').length === 32, 'must be 32 bytes in base64'),
  /** Characters of prompts that are synthesized for one company within an hour; more wait for the next. */
  PROMPT_CHARACTERS_PER_HOUR: z.coerce.number().int().min(10_000).default(200_000),
  /** Where the gateway is reachable; audio addresses begin with it. */
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, '')),
});

export type Config = z.output<typeof config>;
