import { empty, endpoint, json } from '@parley/http';
import { PresenceStatus } from '@parley/proto/call_control/v1/presence_pb';
import type { EmployeePrincipal } from '@parley/rpc';
import { z } from 'zod';
import {
  callSchema,
  directionJson,
  participantSchema,
  stateJson,
  transferJson,
  transferSchema,
} from '@parley/public-json';
import type { Clients } from '../../peers/peers.ts';
import { reads } from '../shared/tool-annotations.ts';

const coworkerStatuses = ['available', 'on_call', 'ringing', 'logged_out', 'unknown'] as const;

const activeCallSchema = z.object({
  call: callSchema.pick({ id: true, state: true, direction: true, from: true, to: true }),
  transfer: transferSchema.nullable().describe('The open transfer'),
  employees: z.array(participantSchema.extend({ status: z.enum(coworkerStatuses) })).describe('Coworkers'),
  available_employees: z.array(participantSchema),
});

export const getActiveCall = ({ calls }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    method: 'get',
    path: '/calls/active',
    tag: 'Calls',
    summary: 'Get the active call',
    description:
      'The call that the employee is in, or is the target of an open transfer of; 204 when there is none. Coworkers on do-not-disturb are shown as logged out.',
    responses: { 200: activeCallSchema, 204: null },
    tools: [
      {
        name: 'get_active_call',
        title: 'Get the active call',
        description:
          'The call the employee is in right now, its open transfer and the coworkers it could go to; `call` is null when there is none. Use it before a transfer.',
        annotations: reads,
        whenEmpty: { call: null },
      },
    ],
    async handle({ context }) {
      const { call, transfer, coworkers } = await calls.getActiveCall({}, { as: context });
      if (!call) return empty(204);
      const employees = coworkers.map(({ id, name, status }) => ({ id, name, status: statusJson(status) }));
      return json(200, {
        call: {
          id: call.id,
          state: stateJson(call.state),
          direction: directionJson(call.direction),
          from: call.from,
          to: call.to,
        },
        transfer: transfer ? transferJson(transfer) : null,
        employees,
        available_employees: employees
          .filter(({ status }) => status === 'available')
          .map(({ id, name }) => ({ id, name })),
      });
    },
  });

function statusJson(status: PresenceStatus): (typeof coworkerStatuses)[number] {
  switch (status) {
    case PresenceStatus.AVAILABLE:
      return 'available';
    case PresenceStatus.ON_CALL:
      return 'on_call';
    case PresenceStatus.RINGING:
      return 'ringing';
    case PresenceStatus.LOGGED_OUT:
    case PresenceStatus.DO_NOT_DISTURB:
      return 'logged_out';
    default:
      return 'unknown';
  }
}
