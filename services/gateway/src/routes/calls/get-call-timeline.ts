import { endpoint, json } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import { z } from 'zod';
import { isoTime } from '@parley/public-json';
import type { Clients } from '../../peers/peers.ts';

const entrySchema = z
  .object({
    at: z.string(),
    type: z
      .string()
      .describe('state, input, offer, leg, timer, command, transfer, hold, recording, supervision, note or dropped'),
    what: z.string(),
    cause: z.string().describe('The trigger: an event of the switch, a timer, a command'),
    employee_id: z.string().optional(),
    leg_id: z.string().optional(),
    detail: z.string().optional(),
  })
  .meta({ id: 'CallTimelineEntry' });

export const getCallTimeline = ({ calls }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    method: 'get',
    path: '/calls/:id/timeline',
    tag: 'Calls',
    summary: 'Get the timeline of a call',
    description:
      'The events of a call with their causes, oldest first; for a very long call only its beginning and its end.',
    responses: { 200: z.object({ entries: z.array(entrySchema) }) },
    errors: [404],
    async handle({ params, context }) {
      const { entries } = await calls.getCallTimeline({ id: params.id }, { as: context });
      return json(200, {
        entries: entries.map(({ at, type, what, cause, employeeId, legId, detail }) => ({
          at: isoTime(at) ?? '',
          type,
          what,
          cause,
          ...(employeeId !== undefined && { employee_id: employeeId }),
          ...(legId !== undefined && { leg_id: legId }),
          ...(detail !== undefined && { detail }),
        })),
      });
    },
  });
