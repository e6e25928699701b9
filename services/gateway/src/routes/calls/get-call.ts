import { endpoint, json } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import type { Clients } from '../../peers.ts';
import { callJson, callSchema } from './call-json.ts';

export const getCall = ({ calls }: Clients) =>
  endpoint<EmployeePrincipal>()({
    method: 'get',
    path: '/calls/:id',
    tag: 'Calls',
    summary: 'Get a call',
    responses: { 200: callSchema },
    errors: [404],
    async handle({ params, context }) {
      const { call } = await calls.getCall({ id: params.id }, { as: context });
      return json(200, callJson(call!));
    },
  });
