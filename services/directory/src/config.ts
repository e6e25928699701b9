import { egressSettings, httpOrigin, statefulServiceSettings } from '@parley/service';
import { z } from 'zod';

export const config = z.object({
  ...statefulServiceSettings,
  ...egressSettings,
  /** Per company. */
  CONTACTS_MAX: z.coerce.number().int().positive().default(100_000),
  /** Per company. */
  EMPLOYEES_MAX: z.coerce.number().int().positive().default(1000),
  /** The sandbox, where there is one; its origin is allowed too. */
  SANDBOX_URL: httpOrigin.optional(),
  /** The time limit of one connected system for a lookup. */
  CALLER_CONTEXT_DEADLINE_MS: z.coerce.number().int().min(100).max(10_000).default(3000),
  NUMBERS_ROUTING_ADDRESS: z.string(),
  /** The services that store personal data besides directory itself. */
  CALL_CONTROL_ADDRESS: z.string(),
  MESSAGING_INBOX_ADDRESS: z.string(),
  WEBHOOKS_ADDRESS: z.string(),
  REPORTS_ADDRESS: z.string(),
  ASSISTANT_ADDRESS: z.string(),
  IDENTITY_ADDRESS: z.string(),
});

export type Config = z.output<typeof config>;

/** The sandbox is listed by address and by name, because it is reached through both. */
export function egressPolicyFrom(config: Config): { allowedOrigins: string[]; deniedNetworks: string[] } {
  const { ALLOWED_ORIGINS, SANDBOX_URL, DENIED_NETWORKS } = config;
  const sandbox = SANDBOX_URL ? [SANDBOX_URL, SANDBOX_URL.replace('//127.0.0.1:', '//localhost:')] : [];
  return { allowedOrigins: [...ALLOWED_ORIGINS, ...sandbox], deniedNetworks: DENIED_NETWORKS };
}
