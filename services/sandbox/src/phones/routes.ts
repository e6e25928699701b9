import { answer, type Route, route } from '@parley/http';
import { z } from 'zod';
import type { Phones } from './phones.ts';

const phoneJson = z.object({ online: z.boolean(), legs: z.array(z.json()) });

export function phoneRoutes({ phones }: { phones: Phones }): Route<undefined>[] {
  const set = route()({
    method: 'put',
    path: '/phones/:employee_id',
    tag: 'Phones',
    summary: 'Take a softphone on or off line',
    body: z.object({ online: z.boolean() }),
    answers: { 200: phoneJson },
    refuses: [404],
    async handle({ params, body }) {
      if (body.online) await phones.goOnline(params.employee_id);
      else await phones.goOffline(params.employee_id);
      return answer(200, view(params.employee_id));
    },
  });

  const show = route()({
    method: 'get',
    path: '/phones/:employee_id',
    tag: 'Phones',
    summary: 'Show a softphone',
    answers: { 200: phoneJson },
    handle: ({ params }) => answer(200, view(params.employee_id)),
  });

  // No call reaches a softphone yet, so there is never a leg at one.
  const view = (employeeId: string) => ({ online: phones.isOnline(employeeId), legs: [] });

  return [set, show];
}
