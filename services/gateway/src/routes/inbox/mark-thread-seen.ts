import { empty, endpoint } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { Clients } from '../../peers/peers.ts';
import { microsTime } from './inbox-time.ts';
import { sets } from '../shared/tool-annotations.ts';

export const markThreadSeen = ({ inbox }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    method: 'post',
    path: '/inbox/:phone_number/seen',
    tag: 'Inbox',
    summary: 'Mark activity as seen',
    description:
      'Covers all items stored up to `through`; later items stay unseen. Shared by the team and idempotent. `listened_at` of voicemails does not change.',
    body: z.object({
      through: microsTime.meta({
        type: 'string',
        description: '`observed_at` of the activity, unchanged; not in the future',
      }),
      business_number_id: z.string().max(128).nullish(),
    }),
    responses: { 204: null },
    errors: [404, 422],
    tools: [
      {
        name: 'mark_thread_seen',
        title: 'Mark a thread as seen',
        description:
          'Marks a thread as seen for the whole team, up to `through`, the `observed_at` of get_thread. Use it when the employee has dealt with it.',
        annotations: sets,
        rename: { phone_number: 'phone' },
        omit: ['business_number_id'],
      },
    ],
    async handle({ params, body, context }) {
      await inbox.markThreadSeen(
        {
          phoneNumber: params.phone_number,
          throughMicros: body.through,
          businessNumberId: body.business_number_id ?? undefined,
        },
        { as: context },
      );
      return empty(204);
    },
  });
