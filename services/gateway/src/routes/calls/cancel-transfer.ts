import { endpoint, json } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import { transferJson, transferResponse } from '@parley/public-json';
import type { Clients } from '../../peers/peers.ts';
import { overwrites, reachingCustomers } from '../shared/tool-annotations.ts';

export const cancelTransfer = ({ transfers }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    method: 'delete',
    path: '/calls/:call_id/transfers/:transfer_id',
    tag: 'Calls',
    summary: 'Cancel a warm transfer',
    description: 'By the controller: the target is dropped and the customer returns to the controller.',
    responses: { 200: transferResponse },
    errors: [403, 404, 409],
    tools: [
      {
        name: 'cancel_transfer',
        title: 'Cancel a warm transfer',
        description:
          'Drops the coworker and brings the customer back to the employee. Use it when the handover is not wanted any more.',
        annotations: reachingCustomers(overwrites),
      },
    ],
    async handle({ params, context }) {
      const which = { callId: params.call_id, transferId: params.transfer_id };
      const { transfer } = await transfers.cancelTransfer(which, { as: context });
      return json(200, { transfer: transferJson(transfer!) });
    },
  });
