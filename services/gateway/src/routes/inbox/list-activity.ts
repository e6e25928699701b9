import { endpoint, json } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { Clients } from '../../peers/peers.ts';
import { contactJson, contactSchema } from '../contacts/contact-json.ts';
import { isoMicros } from '../shared/micros-json.ts';
import { numberFilter } from './inbox-filters.ts';
import { pageCursor, pageLimit } from '../shared/page-query.ts';
import { itemJson, itemSchema } from './item-json.ts';
import { recordingUrls } from './recording-urls.ts';
import { reads } from '../shared/tool-annotations.ts';

export const listActivity = ({ inbox, voicemails }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    method: 'get',
    path: '/inbox/:phone_number/activity',
    tag: 'Inbox',
    summary: 'List the activity with a phone number',
    description:
      'Newest first; a voicemail replaces its call. Further pages show the state observed by the first one. Reading does not mark items as seen: pass `observed_at` unchanged to `seen` to do so.',
    query: z.object({ business_number_id: numberFilter, limit: pageLimit, cursor: pageCursor }),
    responses: {
      200: z.object({
        phone_number: z.string(),
        contact: contactSchema.nullable(),
        items: z.array(itemSchema),
        next_cursor: z.string().nullable(),
        observed_at: z.string().describe('With microseconds'),
      }),
    },
    errors: [404, 422],
    tools: [
      {
        name: 'get_thread',
        title: 'Get a thread',
        description:
          'Calls, voicemails and texts with one phone number, newest first. Use it to read a conversation before answering; reading marks nothing as seen.',
        annotations: reads,
        rename: { phone_number: 'phone' },
        omit: ['business_number_id'],
        list: 'items',
      },
    ],
    async handle({ params, query, context }) {
      const { phoneNumber, contact, items, nextCursor, observedAtMicros } = await inbox.listActivity(
        {
          phoneNumber: params.phone_number,
          businessNumberId: query.business_number_id,
          limit: query.limit,
          cursor: query.cursor,
        },
        { as: context },
      );
      const recordingUrl = await recordingUrls(voicemails, items, context);
      return json(200, {
        phone_number: phoneNumber,
        contact: contact ? contactJson(contact) : null,
        items: items.map((item) => itemJson(item, recordingUrl)),
        next_cursor: nextCursor ?? null,
        observed_at: isoMicros(observedAtMicros),
      });
    },
  });
