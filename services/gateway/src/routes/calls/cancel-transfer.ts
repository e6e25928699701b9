import { endpoint, json } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import type { Clients } from '../../peers.ts';
import { transferJson, transferResponse } from './transfer-json.ts';

export const cancelTransfer = ({ transfers }: Clients) =>
  endpoint<EmployeePrincipal>()({
    method: 'delete',
    path: '/calls/:call_id/transfers/:transfer_id',
    tag: 'Calls',
    summary: 'Cancel a warm transfer',
    description: 'By the controller: the target is dropped and the customer returns to the controller.',
    responses: { 200: transferResponse },
    errors: [403, 404, 409],
    async handle({ params, context }) {
      const which = { callId: params.call_id, transferId: params.transfer_id };
      const { transfer } = await transfers.cancelTransfer(which, { as: context });
      return json(200, { transfer: transferJson(transfer!) });
    },
  });
