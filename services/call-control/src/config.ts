import { baseSettings, grpcServerSettings, mongoSettings, natsSettings } from '@parley/service';
import { z } from 'zod';

export const config = z.object({
  ...baseSettings,
  ...grpcServerSettings,
  ...mongoSettings,
  ...natsSettings,
  DIRECTORY_ADDRESS: z.string(),
  /** How long a softphone, a conversation or a ring offer is believed in without being renewed. */
  PRESENCE_LEASE_SECS: z.coerce.number().positive().max(600).default(20),
});

export type Config = z.output<typeof config>;
