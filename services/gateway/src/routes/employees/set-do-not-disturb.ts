import { timestampFromDate, type Timestamp } from '@bufbuild/protobuf/wkt';
import { invalid, Refused } from '@parley/errors';
import { json, endpoint } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { Clients } from '../../peers.ts';
import { employeeJson, employeeSchema } from './employee-json.ts';

const isoDateTime = z.iso.datetime({ offset: true });

export const setDoNotDisturb = ({ employees }: Clients) =>
  endpoint<EmployeePrincipal>()({
    method: 'put',
    path: '/employees/:id/do_not_disturb',
    tag: 'Employees',
    summary: 'Switch do-not-disturb',
    description: 'Switching it on cancels what is ringing at the employee; routing is left as it is.',
    body: z.object({
      enabled: z.boolean(),
      // Read below and not here: when switching off it is ignored, whatever it is.
      expires_at: z
        .unknown()
        .optional()
        .meta({
          type: ['string', 'null'],
          description: 'When it switches off by itself, in the future; null for never. Ignored when switching off.',
        }),
    }),
    responses: { 200: employeeSchema },
    errors: [404, 422],
    async handle({ params, body, context }) {
      const expiresAt = body.enabled ? readTime(body.expires_at) : undefined;
      const change = { id: params.id, enabled: body.enabled, expiresAt };
      const { employee } = await employees.setDoNotDisturb(change, { as: context });
      return json(200, employeeJson(employee!));
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
