import { statefulServiceSettings } from '@parley/service';
import { z } from 'zod';

export const config = z.object({
  ...statefulServiceSettings,
  DIRECTORY_ADDRESS: z.string(),
  NUMBERS_ROUTING_ADDRESS: z.string(),
  CALL_CONTROL_ADDRESS: z.string(),
  MESSAGING_INBOX_ADDRESS: z.string(),
  ASSISTANT_ADDRESS: z.string(),
});

export type Config = z.output<typeof config>;
