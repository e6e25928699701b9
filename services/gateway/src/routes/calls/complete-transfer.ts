import { endpoint, json } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import { transferJson, transferResponse } from '@parley/public-json';
import type { Clients } from '../../peers/peers.ts';
import { overwrites, reachingCustomers } from '../shared/tool-annotations.ts';

export const completeTransfer = ({ transfers }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    method: 'post',
    path: '/calls/:call_id/transfers/:transfer_id/completion',
    tag: 'Calls',
    summary: 'Complete a warm transfer',
    description: 'By the controller or the target: customer and target stay connected. Idempotent.',
    responses: { 200: transferResponse },
    errors: [403, 404, 409],
    tools: [
      {
        name: 'complete_transfer',
        title: 'Complete a warm transfer',
        description:
          'Connects customer and coworker and takes the employee out of the call. Only on the employee’s explicit request.',
        annotations: reachingCustomers(overwrites),
      },
    ],
    async handle({ params, context }) {
      const which = { callId: params.call_id, transferId: params.transfer_id };
      const { transfer } = await transfers.completeTransfer(which, { as: context });
      return json(200, { transfer: transferJson(transfer!) });
    },
  });
