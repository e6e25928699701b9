import { endpoint, json } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { Clients } from '../../peers/peers.ts';

export const countUnseen = ({ inbox }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    method: 'get',
    path: '/activity/unseen',
    tag: 'Inbox',
    summary: 'Count people with unseen activity',
    description:
      'Distinct external numbers, in total and by business number; texts are included while texting is on for the company.',
    responses: {
      200: z.object({
        unseen_count: z.int(),
        main_numbers: z.array(z.object({ id: z.string(), name: z.string(), unseen_count: z.int() })),
      }),
    },
    async handle({ context }) {
      const { unseenCount, numbers } = await inbox.countUnseen({}, { as: context });
      return json(200, {
        unseen_count: unseenCount,
        main_numbers: numbers.map(({ id, name, unseenCount: count }) => ({ id, name, unseen_count: count })),
      });
    },
  });
