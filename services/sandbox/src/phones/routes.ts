import { json, type Endpoint, endpoint } from '@parley/http';
import { z } from 'zod';
import type { Phones } from './phones.ts';

const phoneJson = z.object({ online: z.boolean(), legs: z.array(z.json()) });

export function phoneRoutes({ phones }: { phones: Phones }): Endpoint<undefined>[] {
  const set = endpoint()({
    method: 'put',
    path: '/phones/:employee_id',
    tag: 'Phones',
    summary: 'Take a softphone on or off line',
    body: z.object({ online: z.boolean() }),
    responses: { 200: phoneJson },
    errors: [404],
    async handle({ params, body }) {
      if (body.online) await phones.goOnline(params.employee_id);
      else await phones.goOffline(params.employee_id);
      return json(200, view(params.employee_id));
    },
  });

  const show = endpoint()({
    method: 'get',
    path: '/phones/:employee_id',
    tag: 'Phones',
    summary: 'Show a softphone',
    responses: { 200: phoneJson },
    handle: ({ params }) => json(200, view(params.employee_id)),
  });

  // No call reaches a softphone yet, so there is never a leg at one.
  const view = (employeeId: string) => ({ online: phones.isOnline(employeeId), legs: [] });

  return [set, show];
}
