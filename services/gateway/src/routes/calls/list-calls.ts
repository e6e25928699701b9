import { endpoint, json } from '@parley/http';
import { CallDirection, CallState } from '@parley/proto/call_control/v1/calls_pb';
import type { EmployeePrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { Clients } from '../../peers.ts';
import { phoneQuery } from '../phone-query.ts';
import { callJson, callSchema, stateFromJson } from './call-json.ts';

const QUERY_MAX = 512;
const directions = { inbound: CallDirection.INBOUND, outbound: CallDirection.OUTBOUND } as const;

export const listCalls = ({ calls }: Clients) =>
  endpoint<EmployeePrincipal>()({
    method: 'get',
    path: '/calls',
    tag: 'Calls',
    summary: 'List calls',
    description: 'Newest first. Filters combine; a `state` there is not is ignored.',
    query: z.object({
      query: z
        .string()
        .max(QUERY_MAX)
        .optional()
        .describe('Words and meaning, in transcriptions and saved caller context'),
      main_number_id: z.string().max(100).optional().describe('A business number’s id'),
      phone_number: phoneQuery.optional().describe('The remote side: E.164, or as written in the company’s country'),
      direction: z.enum(['inbound', 'outbound']).optional().describe('Both, when left out'),
      state: z.string().max(100).optional(),
      limit: z.coerce.number().default(10).describe('Clamped to 1-50'),
    }),
    responses: { 200: z.object({ calls: z.array(callSchema) }) },
    errors: [422],
    async handle({ query, context }) {
      const found = await calls.listCalls(
        {
          query: query.query,
          mainNumberId: query.main_number_id,
          phoneNumber: query.phone_number?.replace(/^ (?=\d)/, '+'),
          direction: query.direction ? directions[query.direction] : CallDirection.UNSPECIFIED,
          state: (query.state && stateFromJson(query.state)) || CallState.UNSPECIFIED,
          limit: Math.min(Math.max(Math.trunc(query.limit), 1), 50),
        },
        { as: context },
      );
      return json(200, { calls: found.calls.map(callJson) });
    },
  });
