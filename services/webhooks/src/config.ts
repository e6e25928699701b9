import { egressSettings, statefulServiceSettings } from '@parley/service';
import { z } from 'zod';

export const config = z.object({
  ...statefulServiceSettings,
  ...egressSettings,
  /** Serves the bodies of texts. */
  MESSAGING_INBOX_ADDRESS: z.string(),
  /** Serves transcripts and signs addresses of recordings. */
  CALL_CONTROL_ADDRESS: z.string(),
  /** Serves what was said to assistants. */
  ASSISTANT_ADDRESS: z.string(),
  /** Per company. */
  WEBHOOKS_MAX: z.coerce.number().int().positive().default(100),
  /** Events that a company's log keeps; the oldest go first. */
  EVENT_LOG_MAX: z.coerce.number().int().min(1000).default(5_000_000),
  /** The limit of an attempt, from the connection to the end of the response. */
  ATTEMPT_SECS_MAX: z.coerce.number().positive().max(60).default(15),
  /** Requests that one process has open at once, to all receivers together and to one. */
  REQUESTS_MAX: z.coerce.number().int().positive().default(400),
  REQUESTS_PER_RECEIVER_MAX: z.coerce.number().int().positive().default(10),
});

export type Config = z.output<typeof config>;
