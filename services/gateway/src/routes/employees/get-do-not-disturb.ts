import { json, endpoint } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { Clients } from '../../peers.ts';
import { isoTime } from './employee-json.ts';

const doNotDisturbSchema = z
  .object({
    enabled: z.boolean(),
    activated_at: z.string().nullable(),
    expires_at: z.string().nullable(),
    at_risk_main_numbers: z
      .array(z.object({ id: z.string(), name: z.string() }))
      .describe('Business numbers that would go straight to no-answer if do-not-disturb were on'),
  })
  .meta({ id: 'DoNotDisturb' });

export const getDoNotDisturb = ({ employees }: Clients) =>
  endpoint<EmployeePrincipal>()({
    method: 'get',
    path: '/employees/:id/do_not_disturb',
    tag: 'Employees',
    summary: 'Read do-not-disturb',
    responses: { 200: doNotDisturbSchema },
    errors: [404],
    async handle({ params, context }) {
      const found = await employees.getDoNotDisturb({ id: params.id }, { as: context });
      return json(200, {
        enabled: found.activatedAt !== undefined,
        activated_at: isoTime(found.activatedAt),
        expires_at: isoTime(found.expiresAt),
        at_risk_main_numbers: found.atRiskNumbers.map(({ id, name }) => ({ id, name })),
      });
    },
  });
