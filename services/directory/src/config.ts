import { baseSettings, grpcServerSettings, mongoSettings, natsSettings } from '@parley/service';
import { z } from 'zod';

export const config = z.object({
  ...baseSettings,
  ...grpcServerSettings,
  ...mongoSettings,
  ...natsSettings,
  /** How many contacts a company may have. */
  CONTACTS_MAX: z.coerce.number().int().positive().default(100_000),
  /** How many employees a company may have. */
  EMPLOYEES_MAX: z.coerce.number().int().positive().default(1000),
  CALL_CONTROL_ADDRESS: z.string(),
  NUMBERS_ROUTING_ADDRESS: z.string(),
});

export type Config = z.output<typeof config>;
