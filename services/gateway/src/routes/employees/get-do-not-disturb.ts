import { json, endpoint } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import { z } from 'zod';
import { isoTime } from '@parley/public-json';
import type { Clients } from '../../peers/peers.ts';

const doNotDisturbSchema = z
  .object({
    enabled: z.boolean(),
    activated_at: z.string().nullable(),
    expires_at: z.string().nullable(),
    at_risk_main_numbers: z
      .array(z.object({ id: z.string(), name: z.string() }))
      .describe('Business numbers whose calls would go directly to the no-answer flow if do-not-disturb were enabled'),
  })
  .meta({ id: 'DoNotDisturb' });

export const getDoNotDisturb = ({ doNotDisturb, employees }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    method: 'get',
    path: '/employees/:id/do_not_disturb',
    tag: 'Employees',
    summary: 'Read do-not-disturb',
    responses: { 200: doNotDisturbSchema },
    errors: [404],
    async handle({ params, context }) {
      const [{ presence, atRiskNumbers }] = await Promise.all([
        doNotDisturb.getDoNotDisturb({ employeeId: params.id }, { as: context }),
        employees.readEmployee({ id: params.id }, { as: context }),
      ]);
      return json(200, {
        enabled: presence?.doNotDisturbActivatedAt !== undefined,
        activated_at: isoTime(presence?.doNotDisturbActivatedAt),
        expires_at: isoTime(presence?.doNotDisturbExpiresAt),
        at_risk_main_numbers: atRiskNumbers.map(({ id, name }) => ({ id, name })),
      });
    },
  });
