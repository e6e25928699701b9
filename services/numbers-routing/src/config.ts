import { httpUrl, statefulServiceSettings } from '@parley/service';
import { z } from 'zod';

export const config = z.object({
  ...statefulServiceSettings,
  ASSISTANT_ADDRESS: z.string(),
  DIRECTORY_ADDRESS: z.string(),
  SPEECH_ADDRESS: z.string(),
  /** Characters of prompts that are synthesized for one company within an hour; more wait for the next. */
  PROMPT_CHARACTERS_PER_HOUR: z.coerce.number().int().min(10_000).default(200_000),
  /** How long a name of an assistant is used again, if no event drops it before. */
  PEER_CACHE_MS: z.coerce.number().int().min(0).max(60_000).default(2000),
  /** The public address of the gateway, with which audio addresses begin. */
  PUBLIC_URL: httpUrl,
});

export type Config = z.output<typeof config>;
