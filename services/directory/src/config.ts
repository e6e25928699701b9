import { baseSettings, grpcServerSettings, mongoSettings, natsSettings } from '@parley/service';
import { z } from 'zod';

export const config = z.object({
  ...baseSettings,
  ...grpcServerSettings,
  ...mongoSettings,
  ...natsSettings,
  /** How many contacts a company may have. */
  CONTACTS_MAX: z.coerce.number().int().positive().default(100_000),
});

export type Config = z.output<typeof config>;
