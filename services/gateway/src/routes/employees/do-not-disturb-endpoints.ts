import { type Timestamp, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { invalid, Refused } from '@parley/errors';
import { endpoint, json } from '@parley/http';
import { employeeJson, employeeSchema, isoTime } from '@parley/public-json';
import type { EmployeePrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { Clients } from '../../peers/peers.ts';
import { sets } from '../shared/tool-annotations.ts';
import { isOwnOrAdmins } from './employee-rules.ts';

export const doNotDisturbEndpoints = (clients: Clients) => [getDoNotDisturb(clients), setDoNotDisturb(clients)];

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

const getDoNotDisturb = ({ doNotDisturb, employees }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    route: 'GET /employees/:id/do_not_disturb',
    sdkMethod: 'employees.getDoNotDisturb',
    summary: 'Read do-not-disturb',
    description:
      'Whether the employee takes no calls, since when and until when, and which business numbers have nobody else to ring.',
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

const isoDateTime = z.iso.datetime({ offset: true });

const setDoNotDisturb = ({ doNotDisturb, employees }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    permits: isOwnOrAdmins,
    route: 'PUT /employees/:id/do_not_disturb',
    sdkMethod: 'employees.setDoNotDisturb',
    summary: 'Enable or disable do-not-disturb',
    description:
      'Enabling cancels ring offers to the employee in progress. Routing configurations are not changed. Members change their own, admins anybody’s.',
    body: z.object({
      enabled: z.boolean(),
      // Read in the handler: it is ignored when disabling, whatever its value.
      expires_at: z
        .unknown()
        .optional()
        .meta({
          type: ['string', 'null'],
          description: 'When do-not-disturb expires, in the future; null for never. Ignored when disabling.',
        }),
    }),
    responses: { 200: employeeSchema },
    errors: [404, 422],
    tools: {
      set_do_not_disturb: {
        title: 'Set do-not-disturb',
        description:
          'Turns do-not-disturb on or off, for the employee unless `employee_id` names a coworker. Use it when calls should not ring, or ring again.',
        annotations: sets,
        rename: { id: 'employee_id' },
        defaults: { id: ({ employeeId }) => employeeId },
      },
    },
    async handle({ params, body, context }) {
      const expiresAt = body.enabled ? readTime(body.expires_at) : undefined;
      // First: a deleted employee may still have a presence for a moment.
      const { employee } = await employees.readEmployee({ id: params.id }, { as: context });
      const change = { employeeId: params.id, enabled: body.enabled, expiresAt };
      const { presence } = await doNotDisturb.setDoNotDisturb(change, { as: context });
      return json(200, employeeJson(employee!, presence!));
    },
  });

function readTime(value: unknown): Timestamp | undefined {
  if (value === null || value === undefined) return undefined;
  if (typeof value !== 'string') throw new Refused(invalid({ expires_at: ['must be a string'] }));
  const time = new Date(value);
  if (!isoDateTime.safeParse(value).success || Number.isNaN(time.getTime()))
    throw new Refused(invalid({ expires_at: ['is not an ISO 8601 time with a time zone'] }));
  return timestampFromDate(time);
}
