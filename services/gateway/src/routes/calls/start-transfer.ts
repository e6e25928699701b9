import { invalid, refusal, Refused } from '@parley/errors';
import { endpoint, json } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import { z } from 'zod';
import { transferJson, transferResponse } from '@parley/public-json';
import type { Clients } from '../../peers/peers.ts';
import { adds, reachingCustomers } from '../shared/tool-annotations.ts';

export const startTransfer = ({ transfers }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    method: 'post',
    path: '/calls/:call_id/transfers',
    tag: 'Calls',
    summary: 'Start a warm transfer',
    description:
      'By the employee in conversation. The customer is put on hold and the target rings for up to 30 seconds.',
    body: z.object({
      // Read in the handler: a missing one is a malformed request, not an invalid one.
      employee_id: z.unknown().optional().meta({ type: 'string', description: 'The target, a coworker' }),
    }),
    responses: { 201: transferResponse },
    errors: [400, 403, 404, 409, 422, 502],
    tools: [
      {
        name: 'start_transfer',
        title: 'Start a warm transfer',
        description:
          'Puts the customer of the active call on hold and rings a coworker. Use get_active_call for the ids.',
        annotations: reachingCustomers(adds),
        describe: { employee_id: z.string().describe('The coworker to ring') },
      },
    ],
    async handle({ params, body, context }) {
      const { employee_id: employeeId } = body;
      if (employeeId === undefined || employeeId === null || employeeId === '')
        throw new Refused(refusal('invalid_request', 'employee_id is required'));
      if (typeof employeeId !== 'string') throw new Refused(invalid({ employee_id: ['must be a string'] }));
      const { transfer } = await transfers.startTransfer({ callId: params.call_id, employeeId }, { as: context });
      return json(201, { transfer: transferJson(transfer!) });
    },
  });
