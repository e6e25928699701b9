import { json, endpoint } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { Clients } from '../../peers/peers.ts';
import { deliveryJson, deliverySchema } from './delivery-json.ts';
import { boundedText } from '../shared/bounded-text.ts';

export const listDeliveries = ({ deliveries }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'admin',
    method: 'get',
    path: '/webhooks/:id/deliveries',
    tag: 'Webhooks',
    summary: 'List a webhook’s deliveries',
    operationId: 'listWebhookDeliveries',
    description: 'Newest first. Deliveries are kept for 30 days.',
    query: z.object({
      cursor: boundedText(512).optional(),
      limit: z.coerce.number().default(50).describe('Clamped to 1-100'),
    }),
    responses: { 200: z.object({ deliveries: z.array(deliverySchema), next_cursor: z.string().nullable() }) },
    errors: [404, 422],
    async handle({ params, query, context }) {
      const page = await deliveries.listDeliveries(
        {
          subscriptionId: params.id,
          cursor: query.cursor ?? '',
          limit: Math.min(Math.max(Math.trunc(query.limit), 1), 100),
        },
        { as: context },
      );
      return json(200, { deliveries: page.deliveries.map(deliveryJson), next_cursor: page.nextCursor || null });
    },
  });
