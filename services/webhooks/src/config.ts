import { egressSettings, statefulServiceSettings } from '@parley/service';
import { z } from 'zod';

export const config = z.object({
  ...statefulServiceSettings,
  ...egressSettings,
  /** Where the bodies of texts are read. */
  MESSAGING_INBOX_ADDRESS: z.string(),
  /** Where transcripts are read and addresses of recordings signed. */
  CALL_CONTROL_ADDRESS: z.string(),
  /** How many subscriptions a company may have. */
  WEBHOOKS_MAX: z.coerce.number().int().positive().default(100),
  /** How long an attempt may take, from the connection to the end of the answer. */
  ATTEMPT_SECS_MAX: z.coerce.number().positive().max(60).default(15),
  /** Requests that one process has open at once, to all receivers together and to one. */
  REQUESTS_MAX: z.coerce.number().int().positive().default(400),
  REQUESTS_PER_RECEIVER_MAX: z.coerce.number().int().positive().default(10),
});

export type Config = z.output<typeof config>;
