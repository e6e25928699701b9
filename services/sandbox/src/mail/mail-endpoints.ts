import { json, type Endpoint, endpoint } from '@parley/http';
import { z } from 'zod';
import type { Mailbox } from './mailbox.ts';

const emailJson = z.object({
  to: z.string(),
  subject: z.string(),
  text: z.string().nullable(),
  html: z.string().nullable(),
  links: z.array(z.string()),
});

export function mailEndpoints({ mailbox }: { mailbox: Mailbox }): Endpoint<undefined>[] {
  const list = endpoint('none')({
    route: 'GET /emails',
    tag: 'Mail',
    summary: 'List delivered mail',
    // An unencoded plus sign arrives as a space, and addresses contain no spaces.
    query: z.object({
      to: z
        .string()
        .transform((to) => to.trim().replaceAll(' ', '+'))
        .optional(),
    }),
    responses: { 200: z.array(emailJson) },
    handle: ({ query }) => json(200, mailbox.emails(query.to)),
  });

  return [list];
}
