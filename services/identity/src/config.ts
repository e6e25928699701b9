import { httpUrl, statefulServiceSettings } from '@parley/service';
import { z } from 'zod';

export const config = z.object({
  ...statefulServiceSettings,
  DIRECTORY_ADDRESS: z.string().min(1),
  /** Per employee. */
  API_KEYS_MAX: z.coerce.number().int().positive().default(50),
  /** Our own public address, for links in e-mails. */
  PUBLIC_URL: httpUrl,
  /** The mail server; without one, invitations wait and password resets expire. */
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  MAIL_FROM: z.string().default('Parley <no-reply@localhost>'),
});

export type Config = z.output<typeof config>;
