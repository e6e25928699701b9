import { refusal, Refused } from '@parley/errors';
import { endpoint, json } from '@parley/http';
import { TransferMode } from '@parley/proto/call_control/v1/transfers_pb';
import { transferJson, transferResponse } from '@parley/public-json';
import type { EmployeePrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { Clients } from '../../peers/peers.ts';
import { boundedText, phoneText } from '../shared/bounded-text.ts';
import { adds, overwrites, reachingCustomers } from '../shared/tool-annotations.ts';

/** Clients send null or an empty text for an absent value. */
const given = (value: string | null | undefined) => (value === null || value === '' ? undefined : value);

/** Transfers of calls. */
export const transferEndpoints = ({ transfers }: Clients) => [
  endpoint<EmployeePrincipal>()({
    role: 'member',
    route: 'POST /calls/:call_id/transfers',
    sdkMethod: 'calls.transfers.start',
    summary: 'Start a transfer',
    description:
      'By the employee in conversation, to a coworker or to a phone outside, which rings for up to 30 seconds. Warm: the customer is on hold until it is completed. Blind: the employee leaves at once; a customer whom the target does not take comes back to the employee, else to the queue of the business number.',
    body: z.object({
      employee_id: boundedText(100).nullable().optional().describe('The target, a coworker'),
      phone_number: phoneText
        .nullable()
        .optional()
        .describe('Instead of a coworker: E.164, or as written in the company’s country'),
      mode: z.enum(['warm', 'blind']).optional().describe('`warm` when it is left out'),
    }),
    responses: { 201: transferResponse },
    errors: [400, 403, 404, 409, 422, 429, 502],
    tools: {
      start_transfer: {
        description:
          'Puts the customer of the active call on hold and rings a coworker or a phone outside; `mode: blind` takes the employee out of the call at once. Use get_active_call for the ids; to a phone outside only on the employee’s explicit request.',
        annotations: reachingCustomers(adds),
        confirm: ({ phone_number: to }) => (to ? `Transfer the customer to ${to}?` : undefined),
      },
    },
    async handle({ params, body, context }) {
      // A body that names nothing is malformed; one without a target for what it names is refused as invalid.
      if (!given(body.employee_id) && body.phone_number === undefined && body.mode === undefined)
        throw new Refused(refusal('invalid_request', 'employee_id is required'));
      const request = {
        callId: params.call_id,
        employeeId: given(body.employee_id) ?? '',
        phoneNumber: given(body.phone_number),
        mode: body.mode === 'blind' ? TransferMode.BLIND : TransferMode.WARM,
      };
      const { transfer } = await transfers.startTransfer(request, { as: context });
      return json(201, { transfer: transferJson(transfer!) });
    },
  }),
  endpoint<EmployeePrincipal>()({
    role: 'member',
    route: 'POST /calls/:call_id/transfers/:transfer_id/completion',
    sdkMethod: 'calls.transfers.complete',
    summary: 'Complete a warm transfer',
    description: 'By the controller or the target: customer and target stay connected. Idempotent.',
    responses: { 200: transferResponse },
    errors: [403, 404, 409],
    tools: {
      complete_transfer: {
        description:
          'Connects customer and target and takes the employee out of the call. Only on the employee’s explicit request.',
        annotations: reachingCustomers(overwrites),
      },
    },
    async handle({ params, context }) {
      const which = { callId: params.call_id, transferId: params.transfer_id };
      const { transfer } = await transfers.completeTransfer(which, { as: context });
      return json(200, { transfer: transferJson(transfer!) });
    },
  }),
  endpoint<EmployeePrincipal>()({
    role: 'member',
    route: 'DELETE /calls/:call_id/transfers/:transfer_id',
    sdkMethod: 'calls.transfers.cancel',
    summary: 'Cancel a transfer',
    description:
      'By the controller: the target is dropped and the customer returns to the controller, whose phones ring after a blind transfer.',
    responses: { 200: transferResponse },
    errors: [403, 404, 409],
    tools: {
      cancel_transfer: {
        description:
          'Drops the target and brings the customer back to the employee. Use it when the handover is not wanted any more.',
        annotations: reachingCustomers(overwrites),
      },
    },
    async handle({ params, context }) {
      const which = { callId: params.call_id, transferId: params.transfer_id };
      const { transfer } = await transfers.cancelTransfer(which, { as: context });
      return json(200, { transfer: transferJson(transfer!) });
    },
  }),
];
