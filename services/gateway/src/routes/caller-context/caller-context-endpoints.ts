import { endpoint, HttpError, json } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { Clients } from '../../peers/peers.ts';
import { phoneQuery, withPlus } from '../shared/phone-query.ts';
import { sets } from '../shared/tool-annotations.ts';
import { callerContextJson, callerContextSchema } from './caller-context-json.ts';

export const callerContextEndpoints = (clients: Clients) => [getCallerContext(clients)];

const getCallerContext = ({ callerContext }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    route: 'GET /caller_context',
    sdkMethod: 'callerContext.get',
    summary: 'Look up a caller',
    description:
      'Looks up a phone number in every connected system. Systems that fail or time out are omitted; no match is a success.',
    query: z.object({ phone: phoneQuery.optional().describe('Phone number, preferably in E.164 format') }),
    responses: { 200: callerContextSchema },
    errors: { 400: 'phone parameter required' },
    tools: {
      look_up_caller: {
        description:
          'Data about a phone number from connected systems (CRM, shop, accounting). Use it to identify a caller; it may save the caller as a contact.',
        annotations: sets,
        describe: { phone: z.string().describe('E.164 or national') },
      },
    },
    async handle({ query, context: as }) {
      if (query.phone === undefined || query.phone.trim() === '')
        throw new HttpError(400, { error: 'phone parameter required' });
      const { context } = await callerContext.getCallerContext({ phone: withPlus(query.phone) }, { as });
      return json(200, callerContextJson(context!));
    },
  });
