import { baseSettings, grpcServerSettings, mongoSettings, natsSettings } from '@parley/service';
import { z } from 'zod';

export const config = z.object({
  ...baseSettings,
  ...grpcServerSettings,
  ...mongoSettings,
  ...natsSettings,
  DIRECTORY_ADDRESS: z.string().min(1),
  /** How many API keys an employee may have. */
  API_KEYS_MAX: z.coerce.number().int().positive().default(50),
});

export type Config = z.output<typeof config>;
