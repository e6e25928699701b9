import { empty, endpoint } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { Clients } from '../../peers/peers.ts';
import { microsTime } from './inbox-time.ts';

export const markCallsSeen = ({ inbox }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    method: 'post',
    path: '/calls/seen',
    tag: 'Inbox',
    summary: 'Mark calls and voicemails as seen',
    description: 'For one external number or for all, up to `through` (default: now). Texts are not changed.',
    body: z
      .object({
        phone_number: z.string().max(200).nullish(),
        main_number_id: z.string().max(128).nullish(),
        through: microsTime.nullish().meta({ type: 'string', description: 'Not in the future' }),
      })
      .optional(),
    responses: { 204: null },
    errors: [404, 422],
    async handle({ body, context }) {
      await inbox.markCallsSeen(
        {
          phoneNumber: body?.phone_number ?? undefined,
          businessNumberId: body?.main_number_id ?? undefined,
          throughMicros: body?.through ?? undefined,
        },
        { as: context },
      );
      return empty(204);
    },
  });
