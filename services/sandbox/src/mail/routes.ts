import { json, type Endpoint, endpoint } from '@parley/http';
import { z } from 'zod';
import type { MailBox } from './mail-box.ts';

const emailJson = z.object({
  to: z.string(),
  subject: z.string(),
  text: z.string().nullable(),
  html: z.string().nullable(),
  links: z.array(z.string()),
});

export function mailRoutes({ mailBox }: { mailBox: MailBox }): Endpoint<undefined>[] {
  const list = endpoint()({
    method: 'get',
    path: '/emails',
    tag: 'Mail',
    summary: 'List what was mailed',
    // A plus sign that nobody encoded arrives as a space, and an address has none.
    query: z.object({
      to: z
        .string()
        .transform((to) => to.trim().replaceAll(' ', '+'))
        .optional(),
    }),
    responses: { 200: z.array(emailJson) },
    handle: ({ query }) => json(200, mailBox.emails(query.to)),
  });

  return [list];
}
