import { endpoint, json } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { Clients } from '../../peers/peers.ts';
import { flag, numberFilter } from './inbox-filters.ts';
import { pageCursor, pageLimit } from '../shared/page-query.ts';
import { threadJson, threadSchema } from './thread-json.ts';
import { reads } from '../shared/tool-annotations.ts';

export const listThreads = ({ inbox }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    method: 'get',
    path: '/inbox',
    tag: 'Inbox',
    summary: 'List threads',
    description:
      'One thread per external phone number, newest activity first. Texts are omitted while texting is off for the company.',
    query: z.object({
      business_number_id: numberFilter,
      query: z
        .string()
        .max(512)
        .optional()
        .describe(
          'Up to 128 characters: part of a contact’s name, company name, e-mail address or note, or of a phone number',
        ),
      unseen: flag.optional().describe('`true`: only threads with unseen items'),
      limit: pageLimit,
      cursor: pageCursor,
    }),
    responses: { 200: z.object({ threads: z.array(threadSchema), next_cursor: z.string().nullable() }) },
    errors: [404, 422],
    tools: [
      {
        name: 'list_inbox',
        title: 'List the inbox',
        description:
          'Calls, voicemails and texts by customer, newest first. Use `unseen` for what still needs attention.',
        annotations: reads,
        describe: { unseen: z.boolean().optional().describe('true: only threads with unseen items') },
        list: 'threads',
      },
    ],
    async handle({ query, context }) {
      const { threads, nextCursor } = await inbox.listThreads(
        {
          businessNumberId: query.business_number_id,
          query: query.query,
          unseen: query.unseen ?? false,
          limit: query.limit,
          cursor: query.cursor,
        },
        { as: context },
      );
      return json(200, { threads: threads.map(threadJson), next_cursor: nextCursor ?? null });
    },
  });
