import { baseSettings, grpcServerSettings, mongoSettings, natsSettings } from '@parley/service';
import { z } from 'zod';

const commaList = z.string().transform((text) => text.split(',').map((item) => item.trim()));

export const config = z.object({
  ...baseSettings,
  ...grpcServerSettings,
  ...mongoSettings,
  ...natsSettings,
  DIRECTORY_ADDRESS: z.string(),
  SPEECH_ADDRESS: z.string(),
  /** 32 bytes in base64; several separated by commas: the first signs addresses of audio, all of them verify. */
  ENCRYPTION_KEY: commaList.pipe(z.array(z.base64().length(44)).min(1)),
  /** Characters of prompts that are synthesized for one company within an hour; more wait for the next. */
  PROMPT_CHARACTERS_PER_HOUR: z.coerce.number().int().min(10_000).default(200_000),
  /** Where the gateway is reachable; audio addresses begin with it. */
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, '')),
});

export type Config = z.output<typeof config>;
